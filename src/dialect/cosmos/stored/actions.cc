// Users, permissions and scripts: created, listed, read, replaced, removed.
#include "dialect/cosmos/actions.h"
#include "dialect/cosmos/documents/rid_numbers.h"
#include "dialect/cosmos/documents/writes/write.h"
#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/queries/resources.h"
#include "dialect/cosmos/reply.h"
#include "dialect/cosmos/resources/system_properties.h"
#include "dialect/cosmos/stored/resource_location.h"
#include "dialect/cosmos/stored/stored.h"
#include "dialect/cosmos/stored/tokens.h"
#include "value/json/json.h"
#include "value/order/order.h"

namespace mayfly::cosmos {
namespace {

net::Response answer_with(const CosmosCall& call, int status, const Owner& owner,
                          const StoredResource& resource) {
  std::string body;
  render_stored(call, call.address.kind, owner, resource, body);
  return one_resource(status, std::move(body), etag_of(resource.changed_at));
}

// An answer with a permission contains a token for the requested time.
Result<void> check_caller(const CosmosCall& call) {
  return call.address.kind == ResourceKind::permission ? check_token_seconds(call) : Result<void>();
}

std::string granted_by(const CosmosCall& call, const Catalog& catalog, const Value& permission) {
  const Value resource = permission.member("resource");
  return identity_of(call, catalog, resource.is(Kind::text) ? resource.text() : std::string()) +
         ' ' + render_json(permission.member("resourcePartitionKey"));
}

// A user has at most one permission on a resource, however its link is spelled.
Result<void> check_permission(const CosmosCall& call, const Owner& owner, const Value& body,
                              View& view) {
  if (call.address.kind != ResourceKind::permission) return {};
  TRY(check_granted_key(call, view.catalog(), body));
  const std::string wanted = granted_by(call, view.catalog(), body);
  for (const StoredResource& other :
       TRY(list_stored(*owner.database, ResourceKind::permission, owner.rid, view))) {
    const bool is_itself = same(*other.content.find("id"), body.member("id"));
    if (!is_itself && granted_by(call, view.catalog(), other.content) == wanted)
      return tl::unexpected(id_is_taken());
  }
  return {};
}

// Removes the old row of a resource that is replaced under another id; the rid stays the same. Only
// users and permissions can be renamed.
Result<void> remove_renamed(const CosmosCall& call, Transaction& transaction,
                            const Resources& resources, const StoredResource& before) {
  const ResourceKind kind = call.address.kind;
  if (kind != ResourceKind::user && kind != ResourceKind::permission) {
    return tl::unexpected(bad_request("Replacing a resource cannot change its id.", "id"));
  }
  if (!is_met(call.header("if-match"), before.changed_at)) {
    return tl::unexpected(condition_failed());
  }
  return resources.remove(transaction, before.key);
}

Result<net::Response> put_stored(CosmosCall& call, WriteMode mode) {
  const ResourceKind kind = call.address.kind;
  TRY(check_caller(call));
  Object content = TRY(check_stored(kind, TRY(parse_json(call.request.body))));
  const StoredResource wanted{.key = {}, .content = std::move(content)};
  const IfMatch if_match = parse_if_match(call.header("if-match"));
  Owner owner;
  Resources resources;
  DocumentKey key;
  bool is_new = false;
  bool is_renamed = false;
  net::Response response;
  {
    View view = call.database().view();
    owner = TRY(find_owner(call, view.catalog(), view));
  }
  TRY(Resources::ensure(call.database(), owner.database->id));
  const auto work = [&](Transaction& transaction) -> Result<void> {
    View& view = transaction.view();
    owner = TRY(find_owner(call, view.catalog(), view));
    resources = Resources::find(view.catalog(), owner.database->id);
    if (!resources) return tl::unexpected(no_such_resource());  // just dropped
    key = stored_key(kind, owner.rid, wanted.content.find("id")->text());
    PutOptions options;
    if (mode == WriteMode::replace) {
      const StoredResource before = TRY(find_stored(call, owner, view));
      is_renamed = before.key.id != key.id;
      if (is_renamed) TRY(remove_renamed(call, transaction, resources, before));
      if (is_renamed) options.facet = facet_of(before.number);
      options.expect = is_renamed ? PutOptions::Expect::absent : PutOptions::Expect::present;
    } else if (mode == WriteMode::create) {
      options.expect = PutOptions::Expect::absent;
    }
    TRY(check_permission(call, owner, wanted.content, view));
    const bool is_there = TRY(resources.get(view, key)).has_value();
    if (!is_there && !is_renamed)
      options.facet = facet_of(TRY(new_number(call, kind, owner, transaction)));
    if (is_there && if_match.is_given && !if_match.is_any) {
      options.if_written_at = if_match.written_at;
    }
    is_new = !is_there && !is_renamed;
    return resources.put(transaction, key, wanted, options).map_error(with_service_message);
  };
  const auto committed = [&](const Transaction& transaction, Instant) {
    const auto written = resources.written(transaction, key);
    if (written) response = answer_with(call, is_new ? 201 : 200, owner, *written);
  };
  TRY(call.database().transact(work, committed));
  return response;
}

// The resources of the address's kind that its owner has.
struct OwnedResources {
  Owner owner;
  std::vector<StoredResource> resources;
  RenderOne render_in(const CosmosCall& call) const {
    return [this, &call](std::size_t i, std::string& out) -> Result<void> {
      render_stored(call, call.address.kind, owner, resources[i], out);
      return {};
    };
  }
};
Result<OwnedResources> all_owned(CosmosCall& call) {
  TRY(check_caller(call));
  View view = call.database().view();
  OwnedResources all;
  all.owner = TRY(find_owner(call, view.catalog(), view));
  all.resources = TRY(list_stored(*all.owner.database, call.address.kind, all.owner.rid, view));
  return all;
}

}  // namespace

Result<net::Response> create_stored(CosmosCall& call) {
  return put_stored(
      call, call.has_flag("x-ms-documentdb-is-upsert") ? WriteMode::upsert : WriteMode::create);
}

Result<net::Response> replace_stored(CosmosCall& call) {
  return put_stored(call, WriteMode::replace);
}

Result<net::Response> read_stored(CosmosCall& call) {
  TRY(check_caller(call));
  View view = call.database().view();
  const Owner owner = TRY(find_owner(call, view.catalog(), view));
  return answer_with(call, 200, owner, TRY(find_stored(call, owner, view)));
}

Result<net::Response> list_stored(CosmosCall& call) {
  const OwnedResources all = TRY(all_owned(call));
  return list_resources(call, call.address.kind, all.owner.rid, all.resources.size(),
                        all.render_in(call));
}

Result<net::Response> query_stored(CosmosCall& call) {
  const OwnedResources all = TRY(all_owned(call));
  return query_resources(call, call.address.kind, all.owner.rid, all.resources.size(),
                         all.render_in(call));
}

Result<net::Response> remove_stored(CosmosCall& call) {
  const IfMatch if_match = parse_if_match(call.header("if-match"));
  Owner owner;
  Bytes rid;
  TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
    View& view = transaction.view();
    owner = TRY(find_owner(call, view.catalog(), view));
    const StoredResource resource = TRY(find_stored(call, owner, view));
    rid = rid_of_stored(call.address.kind, owner, resource);
    RemoveOptions options;
    if (if_match.is_given && !if_match.is_any) options.if_written_at = if_match.written_at;
    return Resources::find(view.catalog(), owner.database->id)
        .remove(transaction, resource.key, std::move(options))
        .map_error(with_service_message);
  }));
  if (call.address.kind == ResourceKind::user) TRY(drop_stored(call, *owner.database, rid));
  return removed();
}

}  // namespace mayfly::cosmos
