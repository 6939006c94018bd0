// The actions on indexes.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "dialect/common/collections/holds.h"
#include "dialect/common/collections/size.h"
#include "dialect/kuzzle/actions.h"
#include "dialect/kuzzle/collections/places.h"
#include "dialect/kuzzle/collections/refreshes.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/security/rights/rights.h"
#include "value/json/json.h"

namespace mayfly::kuzzle {
namespace {

// Ids count up.
template <class Infos>
Infos in_order_of_creation(Infos all) {
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a->id < b->id; });
  return all;
}

}  // namespace

Result<std::string> create_index(KuzzleCall& call) {
  const std::string index = TRY(call.index());
  TRY(check_index_name(index));
  const auto made = call.database().create_database(index, index_facets());
  if (made) return std::string(call.generation().answer_to_new_index);
  if (made.error().code != Code::exists) return tl::unexpected(made.error());
  return problem("services.storage.index_already_exists",
                 fmt::format("The index \"{}\" already exists.", index));
}

Result<std::string> delete_index(KuzzleCall& call) {
  const auto index = TRY(find_index(call, *call.database().catalog()));
  TRY(call.database().drop_database(index->id));
  return R"({"acknowledged":true})";
}

// All are checked before the first is dropped: if one may not be dropped, none is.
Result<std::string> delete_indexes(KuzzleCall& call) {
  const Array& names = *TRY(call.body_array("indexes"));
  View view = call.database().view();
  std::map<DatabaseId, DatabaseInfoPtr> indexes;  // each once, even if it is named repeatedly
  for (const Value& name : names) {
    if (!name.is(Kind::text)) return wrong_type("indexes", "array of strings");
    const auto index = view.catalog().find_database(name.text());
    if (!index || !is_visible_index(*index) || !indexes.emplace(index->id, index).second) continue;
    TRY(authorize(call, same_action_in(call.message, index->name, call.message.collection)));
    TRY(check_droppable(view, *index));
  }
  CatalogParts parts;
  for (const auto& [id, index] : indexes) parts.databases.insert(id);
  auto dropped = call.database().drop(parts);
  if (!dropped && dropped.error().code != Code::not_found) return tl::unexpected(dropped.error());
  Array deleted;
  for (const Value& name : dropped ? names : Array()) {
    const auto index = view.catalog().find_database(name.text());
    if (index && dropped->databases.erase(index->id) > 0) deleted.push_back(name);
  }
  return render_json(Object{{"deleted", deleted}});
}

Result<std::string> index_exists(KuzzleCall& call) {
  const bool is_hidden = call.generation().hides_reserved_indexes;
  if (is_hidden && call.message.index.starts_with('%')) return "false";
  const std::string index = TRY(call.index());
  return call.database().catalog()->find_database(index) ? "true" : "false";
}

Result<std::string> list_indexes(KuzzleCall& call) {
  const CatalogPtr catalog = call.database().catalog();
  Array names;
  Object counts;
  for (const auto& index : in_order_of_creation(catalog->databases())) {
    if (!is_visible_index(*index)) continue;
    names.emplace_back(index->name);
    counts.append(index->name, static_cast<std::int64_t>(catalog->collections(index->id).size()));
  }
  Object answer{{"indexes", std::move(names)}};
  if (TRY(call.flag("countCollection"))) answer.append("collections", std::move(counts));
  return render_json(answer);
}

// Counts the collections that the caller may read.
Result<std::string> index_statistics(KuzzleCall& call) {
  const PermittedCollections permitted = TRY(PermittedCollections::of(call));
  View view = call.database().view();
  Array indexes;
  std::int64_t all = 0;
  for (const auto& index : in_order_of_creation(view.catalog().databases())) {
    if (!is_visible_index(*index)) continue;
    Array collections;
    std::int64_t of_index = 0;
    for (const auto& collection : in_order_of_creation(view.catalog().collections(index->id))) {
      if (!permitted.contains(index->name, collection->name)) continue;
      const CollectionSize size = TRY(size_of(view, *collection, call.answer_by));
      const auto bytes = static_cast<std::int64_t>(size.bytes);
      of_index += bytes;
      collections.push_back(Object{{"name", collection->name},
                                   {"documentCount", static_cast<std::int64_t>(size.documents)},
                                   {"size", bytes}});
    }
    if (collections.empty() && !permitted.contains(index->name, "")) continue;
    all += of_index;
    indexes.push_back(
        Object{{"name", index->name}, {"collections", std::move(collections)}, {"size", of_index}});
  }
  return render_json(Object{{"indexes", std::move(indexes)}, {"size", all}});
}

Result<std::string> refresh_index(KuzzleCall& call) {
  const CatalogPtr catalog = call.database().catalog();
  const auto index = TRY(find_index(call, *catalog));
  for (const auto& collection : catalog->collections(index->id)) {
    call.shared.refreshes.refresh(collection->id, call.database().now());
  }
  return R"({"_shards":{"total":1,"successful":1,"failed":0}})";
}

Result<std::string> get_auto_refresh(KuzzleCall& call) {
  const auto index = TRY(find_index(call, *call.database().catalog()));
  return std::string(TRY(has_auto_refresh(call.database(), *index)) ? "true" : "false");
}

Result<std::string> set_auto_refresh(KuzzleCall& call) {
  const Value* asked = TRY(call.body())->find("autoRefresh");
  if (asked == nullptr) return missing_in_body("autoRefresh");
  if (!asked->is(Kind::boolean)) return wrong_type("autoRefresh", "boolean");
  const auto index = find_index(call, *call.database().catalog());
  // If the index does not exist, there is nothing to refresh.
  const bool may_lack_index = call.generation().has_auto_refresh_of_missing;
  if (!index && may_lack_index && index.error().code == Code::not_found) {
    return render_json(Object{{"response", asked->boolean()}});
  }
  if (!index) return tl::unexpected(index.error());
  TRY(store_auto_refresh(call.database(), **index, asked->boolean()));
  return render_json(Object{{"response", asked->boolean()}});
}

// Searches find users and rights immediately.
Result<std::string> refresh_internal(KuzzleCall&) {
  return R"({"acknowledged":true})";
}

}  // namespace mayfly::kuzzle
