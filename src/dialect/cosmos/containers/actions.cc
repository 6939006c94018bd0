// Containers: created, read, replaced, dropped.
#include "dialect/cosmos/actions.h"
#include "dialect/common/collections/size.h"
#include "dialect/cosmos/attachments/attachment.h"

#include <fmt/format.h>

#include <set>

#include "db/read/view.h"
#include "dialect/cosmos/account/offers.h"
#include "dialect/cosmos/containers/container.h"
#include "dialect/cosmos/containers/indexes.h"
#include "dialect/cosmos/containers/policies/encryption.h"
#include "dialect/cosmos/containers/policies/search.h"
#include "dialect/cosmos/documents/find.h"
#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/queries/resources.h"
#include "dialect/cosmos/ranges/document_selection.h"
#include "dialect/cosmos/reply.h"
#include "dialect/cosmos/resources/names.h"
#include "dialect/cosmos/resources/rid.h"
#include "dialect/cosmos/resources/system_properties.h"
#include "dialect/cosmos/stored/stored.h"
#include "value/json/json.h"
#include "value/json/writer.h"

namespace mayfly::cosmos {
namespace {

// From this version on a container needs a partition key. Versions are dates, which compare as
// texts.
constexpr std::string_view first_version_with_keys = "2018-12-31";

// Before this version, an included path listed its kinds of indexes.
constexpr std::string_view first_version_without_kinds = "2018-09-17";

Client client_of(const CosmosCall& call) {
  const std::string_view version = call.header("x-ms-version");
  if (version.empty() || version >= first_version_with_keys) return Client::of_today;
  return version < first_version_without_kinds ? Client::of_2017 : Client::of_2018;
}
// The defaults for clients of the request's version of the API.
KeyDefaults key_defaults_of(const CosmosCall& call) {
  const bool is_old = client_of(call) != Client::of_today;
  return {.may_lack_key = is_old, .key_version = is_old ? 1 : 2};
}
// `statistics`: those of the key ranges; missing if the client has not asked for them.
void render(const CosmosCall& call, const Container& container, const Value& statistics,
            std::string& out) {
  JsonWriter json(out);
  json.begin_object();
  render_container_members(container, client_of(call), json);
  if (!statistics.is_missing()) json.member("statistics", statistics);
  json.end_object();
}

Result<void> check_if_match(const CosmosCall& call, const Collection& collection) {
  if (is_met(call.header("if-match"), collection.changed_at)) return {};
  return tl::unexpected(condition_failed());
}

// Indexes here are always up to date, whatever the mode.
bool is_indexed_lazily(const Definition& definition) {
  const Value* policy = definition.shown.find("indexingPolicy");
  const Value mode = policy == nullptr ? Value() : policy->member("indexingMode");
  return mode.is(Kind::text) && mode.text() == "lazy";
}

net::Response describe(const CosmosCall& call, int status, const Container& container,
                       const Value& statistics = {}) {
  std::string body;
  render(call, container, statistics, body);
  net::Response response =
      one_resource(status, std::move(body), etag_of(container.collection->changed_at));
  add_headers_of_container(container, response);
  response.headers.emplace_back("x-ms-documentdb-collection-index-transformation-progress", "100");
  if (is_indexed_lazily(container.definition)) {
    response.headers.emplace_back("x-ms-documentdb-collection-lazy-indexing-progress", "100");
  }
  return response;
}

CollectionChange change_to(const Definition& definition) {
  CollectionChange change;
  change.default_lifetime = definition.default_lifetime;
  if (definition.keep_feed_for > Span{0}) {
    change.keep_feed_for = definition.keep_feed_for;
    change.keep_history_for = definition.keep_feed_for;  // the feed reports whole versions
  }
  change.body = body_rules_of(definition);
  change.facets[std::string(definition_facet)] = render_json(definition.shown);
  return change;
}

// The ranges of a new container. One without a key has one range.
KeyRanges ranges_of_new(const Definition& definition, const Value& throughput) {
  const std::size_t ranges = definition.key.is_system ? 1 : ranges_for(units_of(throughput));
  return {{ranges}, hash_of(definition.key)};
}

// A replacement changes only what its definition changes, because others may have set the rest. The
// retention of events and versions is set if the definition has another one than before. It is
// reset only if it still is the one of the earlier definition.
CollectionChange replacement_of(const Container& before, const Definition& definition) {
  CollectionChange change = change_to(definition);
  const Span was = before.definition.keep_feed_for;
  if (definition.keep_feed_for == was) {
    change.keep_feed_for.reset();
    change.keep_history_for.reset();
  } else if (definition.keep_feed_for == Span{0}) {
    const Policy& policy = before.collection->policy;
    if (policy.feed.span == was) change.keep_feed_for = Span{0};
    if (policy.history.span == was) change.keep_history_for = Span{0};
  }
  return change;
}

std::uint64_t kilobytes(const CollectionSize& size) {
  return (size.bytes + 1023) / 1024;
}

// The size of the living documents, in whole kilobytes.
Result<void> add_quota_headers(const CosmosCall& call, const Container& container, View& view,
                               net::Response& response) {
  const CollectionSize size = TRY(size_of(view, *container.collection, call.request.answer_by));
  response.headers.emplace_back(
      "x-ms-resource-quota",
      "documentSize=10240;documentsSize=10485760;documentsCount=-1;collectionSize=10485760;");
  response.headers.emplace_back(
      "x-ms-resource-usage",
      fmt::format("documentSize=0;documentsSize={0};documentsCount={1};collectionSize={0};",
                  kilobytes(size), size.documents));
  return {};
}

// The same for each key range, as a member of the container's definition.
Result<Value> statistics_of(const CosmosCall& call, const Container& container, View& view) {
  const std::vector<KeyRange>& ranges = container.definition.ranges.all();
  const auto part_of = [&](const Document& document) -> std::size_t {
    const KeyRange* range = range_of(container, document.body);
    return range == nullptr ? 0 : static_cast<std::size_t>(range - ranges.data());
  };
  const auto sizes = TRY(
      sizes_of_parts(view, *container.collection, call.request.answer_by, ranges.size(), part_of));
  Array statistics;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    statistics.emplace_back(Object{{"id", ranges[i].id},
                                   {"sizeInKB", static_cast<std::int64_t>(kilobytes(sizes[i]))},
                                   {"documentCount", static_cast<std::int64_t>(sizes[i].documents)},
                                   {"partitionKeys", Array()}});
  }
  return Value(std::move(statistics));
}

// Fails with invalid if the policy names a key that the database does not have. Keys are never
// removed.
Result<void> check_encryption_keys(const CosmosCall& call, const DatabaseInfo& database,
                                   const Value& policy) {
  const Value included = policy.member("includedPaths");
  if (!included.is(Kind::array)) return {};
  View view = call.database().view();
  const Resources keys = Resources::find(view.catalog(), database.id);
  std::set<std::string> found;
  for (const Value& row : included.array()) {
    const std::string id = row.member("clientEncryptionKeyId").text();
    if (!found.insert(id).second) continue;
    const auto key = stored_key(ResourceKind::client_encryption_key, database_rid(database.id), id);
    if (TRY(keys.get(view, key))) continue;
    return tl::unexpected(
        bad_request(fmt::format("ClientEncryptionKey with id '[{}]' does not exist.", id),
                    "clientEncryptionPolicy"));
  }
  return {};
}

// The containers of the database that the address names.
struct ContainerList {
  DatabaseInfoPtr database;
  std::vector<CollectionPtr> collections;
  Bytes rid() const { return database_rid(database->id); }
  RenderOne render_in(CosmosCall& call) const {
    return [this, &call](std::size_t i, std::string& out) -> Result<void> {
      render(call, *TRY(call.containers.of(database, collections[i])), {}, out);
      return {};
    };
  }
};
Result<ContainerList> containers_in(const CosmosCall& call) {
  const CatalogPtr catalog = call.database().catalog();
  ContainerList all;
  all.database = TRY(Containers::find_database(*catalog, call.address));
  all.collections = catalog->collections(all.database->id);
  return all;
}

}  // namespace

Result<net::Response> create_container(CosmosCall& call) {
  const Value body = TRY(parse_json(call.request.body));
  CollectionSpec spec;
  spec.name = TRY(read_name(body));
  Definition definition = TRY(parse_definition(body, key_defaults_of(call)));
  TRY(check_size(definition));
  TRY(check_search_policies(definition.shown));
  TRY(check_encryption_policy(body.member("clientEncryptionPolicy"), definition.key));
  const Value throughput = TRY(requested_throughput(call));
  definition.ranges = ranges_of_new(definition, throughput);
  spec.promises = change_to(definition);
  if (!definition.ranges.is_one()) {
    spec.promises.facets[std::string(ranges_facet)] = render_counts(definition.ranges.counts());
  }
  spec.indexes = indexes_of(definition);
  const CatalogPtr catalog = call.database().catalog();
  const DatabaseInfoPtr database = TRY(Containers::find_database(*catalog, call.address));
  TRY(check_encryption_keys(call, *database, body.member("clientEncryptionPolicy")));
  auto created = call.database().create_collection(database->id, spec);
  if (!created && created.error().code == Code::exists) return tl::unexpected(id_is_taken());
  const ContainerPtr container = TRY(call.containers.of(database, TRY(std::move(created))));
  if (!throughput.is_missing()) TRY(store_throughput(call, *database, container->rid, throughput));
  return describe(call, 201, *container);
}

Result<net::Response> list_containers(CosmosCall& call) {
  const ContainerList all = TRY(containers_in(call));
  return list_resources(call, ResourceKind::container, all.rid(), all.collections.size(),
                        all.render_in(call));
}

Result<net::Response> query_containers(CosmosCall& call) {
  const ContainerList all = TRY(containers_in(call));
  return query_resources(call, ResourceKind::container, all.rid(), all.collections.size(),
                         all.render_in(call));
}

Result<net::Response> read_container(CosmosCall& call) {
  View view = call.database().view();
  const ContainerPtr container = TRY(call.containers.find(view.catalog(), call.address));
  if (call.principal.sees_definition_only) return describe(call, 200, *container);
  Value statistics;
  if (call.has_flag("x-ms-documentdb-populatepartitionstatistics")) {
    statistics = TRY(statistics_of(call, *container, view));
  }
  net::Response response = describe(call, 200, *container, statistics);
  if (call.has_flag("x-ms-documentdb-populatequotainfo")) {
    TRY(add_quota_headers(call, *container, view, response));
  }
  return response;
}

Result<net::Response> replace_container(CosmosCall& call) {
  const Value body = TRY(parse_json(call.request.body));
  const ContainerPtr before = TRY(call.containers.find(*call.database().catalog(), call.address));
  const PartitionKey& key = before->definition.key;
  Definition definition = TRY(parse_definition(
      body, {.may_lack_key = key.is_system, .key_version = key.is_system ? 2 : key.version}));
  if (definition.id != before->collection->name) {
    return tl::unexpected(bad_request("The id of a container cannot be changed.", "id"));
  }
  TRY(check_size(definition));
  TRY(check_replacement(before->definition, definition));
  TRY(check_search_policies(definition.shown));
  definition.ranges = before->definition.ranges;
  TRY(check_if_match(call, *before->collection));
  CollectionChange change = replacement_of(*before, definition);
  const bool is_conditional = !call.header("if-match").empty();
  if (is_conditional) change.if_changed_at = before->collection->changed_at;
  NewIndexes created(call.database(), before->collection->id);
  change.definition_indexes =
      TRY(change_indexes(call.database(), *before->collection, definition, created));
  auto changed = call.database().change_collection(before->collection->id, change);
  if (!changed && changed.error().code == Code::stale && is_conditional) {
    return tl::unexpected(condition_failed());
  }
  const CollectionPtr collection = TRY(std::move(changed));
  created.keep();
  return describe(call, 200, *TRY(call.containers.of(before->database, collection)));
}

Result<net::Response> drop_container(CosmosCall& call) {
  const ContainerPtr container =
      TRY(call.containers.find(*call.database().catalog(), call.address));
  TRY(check_if_match(call, *container->collection));
  TRY(call.database().drop_collection(container->collection->id));
  TRY(drop_attachments(call.database(),
                       attachments_of(*call.database().catalog(), *container->collection)));
  TRY(drop_stored(call, *container->database, container->rid));
  return removed();
}

// A single server has no conflicts.
Result<net::Response> list_conflicts(CosmosCall& call) {
  const ContainerPtr container =
      TRY(call.containers.find(*call.database().catalog(), call.address));
  return Feed(ResourceKind::conflict, container->rid).finish();
}

Result<net::Response> find_no_conflict(CosmosCall& call) {
  const ContainerPtr container =
      TRY(call.containers.find(*call.database().catalog(), call.address));
  const bool lacks_key = call.header(partition_key_header).empty();
  if (call.request.method == "DELETE" && lacks_key && !container->definition.key.is_system) {
    return tl::unexpected(key_is_missing());
  }
  return tl::unexpected(no_such_resource());
}

}  // namespace mayfly::cosmos
