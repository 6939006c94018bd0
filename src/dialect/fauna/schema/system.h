// The collections that every database of FQL has by itself: their documents are the schema, and who
// may do what.
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
  std::string_view name;      // REACHES DISK
  bool is_named = false;      // its documents have names, no ids
  bool is_schema = false;     // a change of one of them is a new version of the schema
  std::string_view property;  // of an administrator alone, not of a server key: empty, or why
  std::string_view items;     // of FSL: `collections`; empty: none
};

// By name, or by the other name of one: `Credentials`. Null where there is none.
const SystemCollection* find_system(std::string_view name);
std::span<const SystemCollection> all_system_collections();

// Where a document of one lies in the table, and the names that lie beside it.
DocumentKey system_key(const SystemCollection& of, std::string_view id);
std::string system_prefix(const SystemCollection& of);
// What the id of any of its documents is less than, in the table.
std::string system_end(const SystemCollection& of);
// Each of its documents, in the order of their ids or names.
Result<void> each_of_system(View& view, const Collection& table, const SystemCollection& of,
                            const std::function<Result<void>(const Document&)>& visit);
// The id or name of a document of the table.
std::string_view id_in_table(std::string_view table_id);

// The row whose version is that of the schema.
DocumentKey schema_version_key();

}  // namespace mayfly::fauna
