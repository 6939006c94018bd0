#include "dialect/fauna/documents/environment.h"

#include "dialect/fauna/documents/reading.h"
#include "dialect/fauna/schema/system.h"

namespace mayfly::fauna {

Result<bool> database_says(View& view, Place place, std::string_view field) {
  while (!place.is_root()) {
    const std::string name = place.path.back();
    place.path.pop_back();
    const DatabaseInfoPtr above = view.catalog().find_database(place.core_name());
    if (!above) return false;
    Reading reading(view, above->id);
    const auto row = TRY(reading.get_system(*find_system("Database"), name));
    const Value said = row ? row->body.member(field) : Value();
    if (said.is(Kind::boolean)) return said.boolean();
  }
  return false;
}

}  // namespace mayfly::fauna
