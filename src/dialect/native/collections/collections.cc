// Collections, their policies, and their indexes.
#include <fmt/format.h>

#include "dialect/common/collections/new_indexes.h"
#include "dialect/native/actions.h"
#include "dialect/native/collections/promises.h"
#include "dialect/native/headers/location.h"

namespace mayfly::native {
namespace {

// How long a new collection keeps its feed by default: enough for a reader that is away for a day.
constexpr Span feed_default = Span::seconds(86'400);

net::Response describe(int status, const Collection& collection) {
  return json_response(status, render_json(to_value(collection)));
}

net::Response describe_created(const NativeCall& call, const Collection& collection) {
  net::Response response = describe(201, collection);
  response.headers.emplace_back("Location", location_of(call["database"], collection.name));
  return response;
}

Result<CollectionPtr> create(NativeCall& call, CollectionSpec spec) {
  const auto database = TRY(find_database(call, *call.database().catalog()));
  if (!spec.promises.keep_feed_for) spec.promises.keep_feed_for = feed_default;
  spec.default_counts_from = CountsFrom::write;
  return call.database().create_collection(database->id, spec).map_error(in_api_terms);
}

// Fails with exists if the collection has another index of that name.
Result<void> check_indexes(const Collection& collection, const std::vector<IndexSpec>& asked) {
  for (const IndexSpec& index : asked) {
    const Index* found = collection.find_index(index.name);
    if (found == nullptr || is_same(*found, index)) continue;
    return fail(Code::exists, fmt::format("there is already another index named '{}'", index.name),
                "name");
  }
  return {};
}

// Gives an existing collection the requested indexes and policy. The policy is changed last: it can
// end documents, so a refused request must not change it.
Result<CollectionPtr> ensure(Database& database, CollectionPtr collection,
                             const CollectionSpec& spec) {
  TRY(check_indexes(*collection, spec.indexes));
  NewIndexes created(database, collection->id);
  for (const IndexSpec& index : spec.indexes) {
    const Index* found = collection->find_index(index.name);
    if (found != nullptr && is_same(*found, index)) continue;
    collection = TRY(created.create(index));
  }
  const CollectionChange change = without_current(spec.promises, *collection);
  if (!is_empty(change)) {
    collection = TRY(database.change_collection(collection->id, change).map_error(in_api_terms));
  }
  created.keep();
  return collection;
}

}  // namespace

Result<net::Response> list_collections(NativeCall& call) {
  const CatalogPtr catalog = call.database().catalog();
  const auto database = TRY(find_database(call, *catalog));
  Array all;
  for (const CollectionPtr& collection : catalog->collections(database->id)) {
    all.push_back(to_value(*collection));
  }
  return json_response(200, render_json(Object{{"collections", std::move(all)}}));
}

Result<net::Response> create_collection(NativeCall& call) {
  const Object body = TRY(parse_object(call.request.body));
  MemberReader members(body);
  const auto name = TRY(members.text("name"));
  CollectionSpec spec;
  spec.promises = TRY(read_policy(members));
  spec.indexes = TRY(read_indexes(members));
  TRY(members.finish());
  if (!name) return tl::unexpected(members.wrong_kind("name", "given"));
  spec.name = *name;
  return describe_created(call, *TRY(create(call, std::move(spec))));
}

Result<net::Response> put_collection(NativeCall& call) {
  const Object body = TRY(parse_optional_object(call.request.body));
  MemberReader members(body);
  CollectionSpec spec{.name = call["collection"]};
  spec.promises = TRY(read_policy(members));
  spec.indexes = TRY(read_indexes(members));
  TRY(members.finish());
  Database& database = call.database();
  auto found = find_collection(call, *database.catalog());
  if (!found) {
    auto created = create(call, spec);
    if (created) return describe_created(call, **created);
    if (created.error().code != Code::exists) return tl::unexpected(created.error());
    found = find_collection(call, *database.catalog());  // another request was quicker
  }
  return describe(200, *TRY(ensure(database, TRY(std::move(found)), spec)));
}

Result<net::Response> get_collection(NativeCall& call) {
  return describe(200, *TRY(find_collection(call, *call.database().catalog())));
}

Result<net::Response> change_collection(NativeCall& call) {
  const Object body = TRY(parse_object(call.request.body));
  MemberReader members(body);
  CollectionSpec spec;
  spec.promises = TRY(read_policy(members));
  TRY(members.finish());
  const auto collection = TRY(find_collection(call, *call.database().catalog()));
  return describe(200, *TRY(ensure(call.database(), collection, spec)));
}

Result<net::Response> drop_collection(NativeCall& call) {
  const auto collection = TRY(find_collection(call, *call.database().catalog()));
  TRY(call.database().drop_collection(collection->id));
  return empty_response();
}

Result<net::Response> list_indexes(NativeCall& call) {
  const auto collection = TRY(find_collection(call, *call.database().catalog()));
  Array all;
  for (const Index& index : collection->indexes) all.push_back(to_value(index));
  return json_response(200, render_json(Object{{"indexes", std::move(all)}}));
}

Result<net::Response> create_index(NativeCall& call) {
  const Object body = TRY(parse_object(call.request.body));
  const IndexSpec spec = TRY(read_index(body, {}));
  const auto collection = TRY(find_collection(call, *call.database().catalog()));
  const auto changed = TRY(call.database().create_index(collection->id, spec));
  const Index* created = changed->find_index(spec.name);
  if (created == nullptr) return fail(Code::contended, "the index has been dropped meanwhile");
  return json_response(201, render_json(to_value(*created)));
}

Result<net::Response> drop_index(NativeCall& call) {
  const auto collection = TRY(find_collection(call, *call.database().catalog()));
  const std::string& name = call["index"];
  if (collection->find_index(name) == nullptr) {
    return fail(Code::not_found, "there is no index named '" + name + "'", "index");
  }
  TRY(call.database().drop_index(collection->id, name));
  return empty_response();
}

}  // namespace mayfly::native
