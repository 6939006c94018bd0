#include "lifetime/lens.h"

namespace mayfly {

bool sees(const Lens& lens, const Version& version, const Policy& policy) {
  if (version.written_at > lens.at || lens.at >= version.superseded_at) return false;
  if (lens.judged >= death_of(version, policy)) return false;
  if (!version.is_removed()) return true;
  return lens.shows_trash && version.removed_at <= lens.at &&
         lens.judged < forgettable_at(version, policy);
}

std::string render(const Lens& lens) {
  const std::string trash = lens.shows_trash ? " with trash" : "";
  if (lens.at == lens.judged) return "at " + std::to_string(lens.at.micros) + trash;
  return "at " + std::to_string(lens.at.micros) + " judged " + std::to_string(lens.judged.micros) +
         trash;
}

}  // namespace mayfly
