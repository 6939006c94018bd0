#include "dialect/fauna/documents/environment.h"

#include "dialect/fauna/documents/reading.h"
#include "dialect/fauna/schema/system.h"

namespace mayfly::fauna {

Result<bool> database_flag(View& view, DatabasePath database_path, std::string_view field) {
  while (!database_path.is_root()) {
    const std::string name = database_path.names.back();
    database_path.names.pop_back();
    const DatabaseInfoPtr above = view.catalog().find_database(database_path.core_name());
    if (!above) return false;
    Reading reading(view, above->id);
    const auto row = TRY(reading.get_system(*find_system("Database"), name));
    const Value flag = row ? row->body.member(field) : Value();
    if (flag.is(Kind::boolean)) return flag.boolean();
  }
  return false;
}

}  // namespace mayfly::fauna
