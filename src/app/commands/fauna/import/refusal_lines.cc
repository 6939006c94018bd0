// Counts refusals by their reasons.
#include "app/commands/fauna/import/refusal_lines.h"

#include "app/limits.h"

namespace mayfly::app {
namespace {

// "User 12: why" becomes "User: why"; a text without a collection and a number at its start is not
// changed.
std::string without_id(const std::string& reason) {
  const std::size_t colon = reason.find(": ");
  if (colon == std::string::npos) return reason;
  const std::size_t space = reason.find(' ');
  const bool is_number = space < colon && space + 1 < colon &&
                         reason.find_first_not_of("0123456789", space + 1) == colon;
  return is_number ? reason.substr(0, space) + reason.substr(colon) : reason;
}

}  // namespace

bool RefusalLines::shows(const std::string& reason) {
  const std::string key = without_id(reason);
  const auto known = counts_.find(key);
  if (known != counts_.end()) return ++known->second <= limits::import_refusals_shown_max;
  if (counts_.size() < limits::import_reasons_max) counts_.emplace(key, 1);
  return true;
}

std::vector<std::string> RefusalLines::summary() const {
  std::vector<std::string> lines;
  for (const auto& [reason, count] : counts_) {
    if (count <= limits::import_refusals_shown_max) continue;
    lines.push_back(std::to_string(count - limits::import_refusals_shown_max) +
                    " more like this: " + reason);
  }
  return lines;
}

}  // namespace mayfly::app
