#include "dialect/kuzzle/collections/places.h"

#include <fmt/format.h>

#include <algorithm>

#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/trash/collector.h"
#include "value/json/json.h"

namespace mayfly::kuzzle {
namespace {

constexpr std::size_t name_bytes_max = 126;
constexpr std::string_view forbidden_characters = "\\/*?\"<>| \t\r\n,+#:%&";

bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= name_bytes_max && name != "_all" &&
         name.find_first_of(forbidden_characters) == std::string_view::npos;
}

}  // namespace

Facets index_facets() {
  return {{std::string(index_facet), "{}"}};
}

bool is_visible_index(const DatabaseInfo& database) {
  return !database.name.starts_with('%');
}

Result<void> check_index_name(std::string_view name) {
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  if (is_name(name) && std::none_of(name.begin(), name.end(), is_capital)) return {};
  return problem("services.storage.invalid_index_name",
                 fmt::format("The index name \"{}\" is invalid.", name));
}

Result<void> check_collection_name(std::string_view name, const Generation& generation) {
  constexpr std::string_view reserved = "_kuzzle_keep";
  const bool has_rules = generation.has_collection_name_rules;
  if (has_rules && name == reserved) {
    return problem(
        "services.storage.collection_reserved",
        fmt::format("Invalid collection name. \"{}\" is reserved for internal usage.", name));
  }
  const bool has_dot = name.find('.') != std::string_view::npos;
  if (is_name(name) && !(has_rules && has_dot)) return {};
  return problem("services.storage.invalid_collection_name",
                 fmt::format("The collection name \"{}\" is invalid.", name));
}

std::string_view mapping_facet_of(const Collection& collection) {
  return collection.facets.contains(mapping_facet) ? mapping_facet : added_mapping_facet;
}

Value mapping_of(const Collection& collection) {
  const auto facet = collection.facets.find(mapping_facet_of(collection));
  if (facet == collection.facets.end()) return Object();
  auto parsed = parse_json(facet->second);
  return parsed && parsed->is(Kind::object) ? *std::move(parsed) : Value(Object());
}

Result<View> view_of(const KuzzleCall& call) {
  return call.includes_trash() ? view_with_trash(call) : call.database().view();
}

Result<View> view_with_trash(const KuzzleCall& call) {
  Database& database = call.database();
  TRY(call.shared.collector.run_due());
  return database.up_to_date_view(TRY(collection_to_read(call, *database.catalog()))->id);
}

Result<DatabaseInfoPtr> find_index(const KuzzleCall& call, const Catalog& catalog) {
  const std::string index = TRY(call.index());
  if (auto database = catalog.find_database(index)) return database;
  return problem_in_both("services.storage.unknown_index",
                         fmt::format("Index \"{}\" does not exist, please create it first", index),
                         {index});
}

Result<CollectionPtr> collection_to_write(const KuzzleCall& call, const Catalog& catalog) {
  const std::string index = TRY(call.index());
  const std::string collection = TRY(call.collection());
  const auto database = catalog.find_database(index);
  auto found = database ? catalog.find_collection(database->id, collection) : nullptr;
  if (found) return found;
  return no_such_collection(index, collection);
}

Result<CollectionPtr> collection_to_read(const KuzzleCall& call, const Catalog& catalog) {
  const std::string collection = TRY(call.collection());
  const auto database = TRY(find_index(call, catalog));
  if (auto found = catalog.find_collection(database->id, collection)) return found;
  return problem_in_both(
      "services.storage.unknown_collection",
      fmt::format("Collection \"{}\" does not exist in index \"{}\"", collection, database->name),
      {database->name, collection});
}

}  // namespace mayfly::kuzzle
