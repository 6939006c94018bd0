// Users, permissions and scripts: created, listed, read, replaced, removed.
#include "dialect/cosmos/actions.h"
#include "dialect/cosmos/documents/rid_numbers.h"
#include "dialect/cosmos/documents/write.h"
#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/queries/resources.h"
#include "dialect/cosmos/reply.h"
#include "dialect/cosmos/stored/stored.h"
#include "dialect/cosmos/stored/tokens.h"
#include "dialect/cosmos/system_properties.h"
#include "value/json.h"
#include "value/order.h"
#include "value/packed.h"

namespace mayfly::cosmos {
namespace {

net::Response answer_with(const Call& call, int status, const Owner& owner,
                          const Document& document) {
  std::string body;
  render_stored(call, call.address.kind, owner, document, body);
  return one_resource(status, std::move(body), etag_of(document.version.written_at));
}

// One user has one permission on a resource.
Result<void> hold_permissions_apart(const Call& call, const Owner& owner, const Value& body,
                                    View& view) {
  if (call.address.kind != ResourceKind::permission) return {};
  const std::string wanted =
      render_json(body.member("resource")) + render_json(body.member("resourcePartitionKey"));
  for (const Document& other :
       TRY(list_stored(*owner.database, ResourceKind::permission, owner.rid, view))) {
    const Value own = other.body.unpack();
    const bool is_itself = same(own.member("id"), body.member("id"));
    const std::string resource =
        render_json(own.member("resource")) + render_json(own.member("resourcePartitionKey"));
    if (!is_itself && resource == wanted) return tl::unexpected(id_is_taken());
  }
  return {};
}

Result<net::Response> put_stored(Call& call, WriteMode mode) {
  const ResourceKind kind = call.address.kind;
  TRY(check_token_seconds(call));
  const Value body = TRY(check_stored(kind, TRY(parse_json(call.request.body))));
  const Bytes packed = TRY(pack(body));
  const IfMatch if_match = parse_if_match(call.header("if-match"));
  Owner owner;
  CollectionPtr collection;
  DocumentKey key;
  bool is_new = false;
  net::Response response;
  {
    View view = call.database().view();
    owner = TRY(find_owner(call, view.catalog(), view));
  }
  TRY(make_hidden_collection(call.database(), *owner.database));
  const auto work = [&](Transaction& transaction) -> Result<void> {
    View& view = transaction.view();
    owner = TRY(find_owner(call, view.catalog(), view));
    collection = hidden_collection(view.catalog(), *owner.database);
    key = stored_key(kind, owner.rid, body.member("id").text());
    PutOptions options;
    if (mode == WriteMode::replace) {
      const Document before = TRY(find_stored(call, owner, view));
      if (before.id != key.id) {
        return tl::unexpected(bad_request("Replacing a resource cannot change its id.", "id"));
      }
      options.expect = PutOptions::Expect::present;
    } else if (mode == WriteMode::create) {
      options.expect = PutOptions::Expect::absent;
    }
    TRY(hold_permissions_apart(call, owner, body, view));
    const bool is_there = TRY(view.get(*collection, key, view.live())).has_value();
    if (!is_there) options.facet = facet_of(call.rid_numbers.next(transaction.now()));
    if (is_there && if_match.is_given && !if_match.is_any) {
      options.if_written_at = if_match.written_at;
    }
    is_new =
        TRY(transaction.put(collection, key, packed, options).map_error(in_words_of_the_service));
    return {};
  };
  const auto committed = [&](const Transaction& transaction, Instant) {
    const auto document = transaction.written(collection, key);
    if (document) response = answer_with(call, is_new ? 201 : 200, owner, *document);
  };
  TRY(call.database().transact(work, committed));
  return response;
}

}  // namespace

Result<net::Response> create_stored(Call& call) {
  return put_stored(
      call, call.has_flag("x-ms-documentdb-is-upsert") ? WriteMode::upsert : WriteMode::create);
}

Result<net::Response> replace_stored(Call& call) {
  return put_stored(call, WriteMode::replace);
}

Result<net::Response> read_stored(Call& call) {
  TRY(check_token_seconds(call));
  View view = call.database().view();
  const Owner owner = TRY(find_owner(call, view.catalog(), view));
  return answer_with(call, 200, owner, TRY(find_stored(call, owner, view)));
}

Result<net::Response> list_stored(Call& call) {
  View view = call.database().view();
  const Owner owner = TRY(find_owner(call, view.catalog(), view));
  Feed feed(call.address.kind, owner.rid);
  for (const Document& one :
       TRY(list_stored(*owner.database, call.address.kind, owner.rid, view))) {
    render_stored(call, call.address.kind, owner, one, feed.next());
  }
  return feed.finish();
}

Result<net::Response> query_stored(Call& call) {
  View view = call.database().view();
  const Owner owner = TRY(find_owner(call, view.catalog(), view));
  std::vector<std::string> told;
  for (const Document& one :
       TRY(list_stored(*owner.database, call.address.kind, owner.rid, view))) {
    render_stored(call, call.address.kind, owner, one, told.emplace_back());
  }
  return query_resources(call, call.address.kind, owner.rid, told);
}

Result<net::Response> remove_stored(Call& call) {
  const IfMatch if_match = parse_if_match(call.header("if-match"));
  Owner owner;
  Bytes rid;
  TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
    View& view = transaction.view();
    owner = TRY(find_owner(call, view.catalog(), view));
    const Document document = TRY(find_stored(call, owner, view));
    rid = rid_of_stored(call.address.kind, owner, document);
    RemoveOptions options{.is_final = true};
    if (if_match.is_given && !if_match.is_any) options.if_written_at = if_match.written_at;
    return transaction
        .remove(hidden_collection(view.catalog(), *owner.database), document.document_key(),
                options)
        .map_error(in_words_of_the_service);
  }));
  if (call.address.kind == ResourceKind::user) TRY(drop_stored(call, *owner.database, rid));
  return removed();
}

}  // namespace mayfly::cosmos
