// System collections, which every database of FQL has. Their documents hold the schema and the
// access rights.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "db/read/view.h"

namespace mayfly::fauna {

// REACHES DISK: the internal collection, one in each database, that holds all their documents.
inline constexpr std::string_view system_table = "#fauna";

struct SystemCollection {
  std::string_view name;   // REACHES DISK
  bool is_named = false;   // its documents have names instead of ids
  bool is_schema = false;  // a change of a document makes a new version of the schema
  // the built-in role that gives access to its documents; empty: the roles of server keys do, too.
  // Roles of the schema may give rights to any collection.
  std::string_view property;
  std::string_view items;  // name of its items in paths: `collections`; empty: none
};

// By name or by its synonym, such as `Credentials`. Null if there is none.
const SystemCollection* find_system(std::string_view name);
std::span<const SystemCollection> all_system_collections();

// The key of a document in the table, and the common prefix of all ids of a collection.
DocumentKey system_key(const SystemCollection& of, std::string_view id);
std::string system_prefix(const SystemCollection& of);
// An exclusive upper bound of the ids of its documents in the table.
std::string system_end(const SystemCollection& of);
// Visits each of its documents, ordered by id or name.
Result<void> each_of_system(View& view, const Collection& table, const SystemCollection& of,
                            const std::function<Result<void>(const Document&)>& visit);
// The id or name of a document, from its id in the table.
std::string_view id_in_table(std::string_view table_id);

// The key of the row whose version is that of the schema.
DocumentKey schema_version_key();

}  // namespace mayfly::fauna
