// Writing, reading and removing one document.
#include "db/rows/partition.h"
#include "db/write/rules/body_rules.h"
#include "dialect/common/hint.h"
#include "dialect/common/requests/parameters.h"
#include "dialect/native/actions.h"
#include "dialect/native/documents/envelope.h"
#include "dialect/native/documents/write.h"
#include "dialect/native/headers/conditions.h"
#include "dialect/native/headers/location.h"
#include "value/json/json.h"
#include "value/json/writer.h"
#include "value/packed/packed.h"
#include "value/value.h"

namespace mayfly::native {
namespace {

std::string quoted(std::string_view text) {
  std::string quoted;
  quoted.reserve(text.size() + 2);
  return std::move(quoted.append(1, '"').append(text).append(1, '"'));
}

net::Response describe(int status, const Document& document) {
  net::Response response;
  response.status = status;
  response.headers.emplace_back("ETag", quoted(etag_of(document.version)));
  render_document(document, {}, response.body);
  return response;
}

Error in_body(Error error) {
  if (error.field.empty()) error.field = "body";
  return error;
}

Result<Bytes> packed_body(const NativeCall& call) {
  return pack_json(call.request.body).map_error(in_body);
}

constexpr std::string_view unused_ttl =
    "the member \"ttl\" of this body is data and no lifetime; ?ttl= in the URL is one";

// Whether the body has a member that would be a lifetime in other collections but has no effect
// here.
bool has_unused_ttl(const Collection& collection, const Document& document) {
  const Lifetime& lifetime = document.version.lifetime;
  const bool may_be_unused =
      std::holds_alternative<Inherit>(lifetime) || std::holds_alternative<At>(lifetime);
  if (collection.body.specifies_lifetime || !may_be_unused) return false;
  return specified_seconds(document.body.member(lifetime_member)).has_value();
}

// Runs `put(transaction, collection, key, options)` and answers with the resulting document.
// `whole`: the new body, unless it is a patch.
template <class Put>
Result<net::Response> write(NativeCall& call, const std::string& id, const Bytes* whole,
                            const Put& put) {
  TRY(check(DocumentKey::of(id)));
  const DocumentWriteOptions asked = TRY(read_write(call));
  CollectionPtr collection;
  DocumentKey key;
  bool is_new = false;
  net::Response response;
  const auto work = [&](Transaction& transaction) -> Result<void> {
    collection = TRY(find_collection(call, transaction.view().catalog()));
    key = TRY(key_of(call, *collection, id));
    if (whole != nullptr) key = TRY(key_in_partition(collection->body, key, Packed(*whole)));
    TRY(check_conditions(asked.conditions, transaction, *collection, key));
    const LifetimeChange lifetime = TRY(lifetime_at(asked.lifetime, transaction.now()));
    PutOptions options{.lifetime = lifetime, .author = asked.author};
    is_new = TRY(put(transaction, collection, key, std::move(options)));
    return {};
  };
  const auto committed = [&](const Transaction& transaction, Instant) {
    const auto document = transaction.written(collection, key);
    if (!document) return;
    response = describe(is_new ? 201 : 200, *document);
    if (std::holds_alternative<Keep>(asked.lifetime) && has_unused_ttl(*collection, *document)) {
      response.headers.emplace_back(hint_header, unused_ttl);
    }
    if (!is_new) return;
    response.headers.emplace_back("Location",
                                  location_of(call["database"], call["collection"], key));
  };
  TRY(call.database().transact(work, committed));
  return response;
}

}  // namespace

Result<net::Response> create_document(NativeCall& call) {
  const auto asked_id = TRY(text_parameter(call.request, "id"));
  const std::string id = asked_id ? *asked_id : call.shared.services.random.uuid();
  TRY(check(DocumentKey::of(id)));
  const Bytes packed = TRY(packed_body(call));
  return write(call, id, &packed,
               [&](Transaction& transaction, const CollectionPtr& collection,
                   const DocumentKey& key, PutOptions options) {
                 options.expect = PutOptions::Expect::absent;
                 return transaction.put(collection, key, packed, options);
               });
}

Result<net::Response> put_document(NativeCall& call) {
  const Bytes packed = TRY(packed_body(call));
  return write(
      call, call["id"], &packed,
      [&](Transaction& transaction, const CollectionPtr& collection, const DocumentKey& key,
          const PutOptions& options) { return transaction.put(collection, key, packed, options); });
}

Result<net::Response> patch_document(NativeCall& call) {
  const Value patch = TRY(parse_json(call.request.body).map_error(in_body));
  if (!patch.is(Kind::object)) {
    return fail(Code::invalid, "the patch must be a JSON object", "body");
  }
  return write(call, call["id"], nullptr,
               [&](Transaction& transaction, const CollectionPtr& collection, DocumentKey& key,
                   const PutOptions& options) -> Result<bool> {
                 Bytes merged =
                     TRY(patched(transaction, *collection, key, patch).map_error(in_body));
                 return transaction.put(collection, key, std::move(merged), options);
               });
}

Result<net::Response> get_document(NativeCall& call) {
  Database& database = call.database();
  std::optional<Document> document;
  if (const auto at = TRY(time_parameter(call.request, "as_of"))) {
    View view = database.view();
    const auto collection = TRY(find_collection(call, view.catalog()));
    const Lens lens = TRY(view.as_of(*at, *collection).map_error(about_as_of));
    document = TRY(view.get(*collection, TRY(key_of(call, *collection)), lens));
  } else {
    const auto collection = TRY(find_collection(call, *database.catalog()));
    document = TRY(database.get(collection, TRY(key_of(call, *collection))));
  }
  if (!document) return tl::unexpected(no_such_document(call["id"]));
  const Conditions conditions = TRY(read_conditions(call.request));
  if (conditions.if_match && !conditions.if_match->match(*document)) {
    return fail(Code::stale, "the document is not at the version that If-Match names", "If-Match");
  }
  if (conditions.if_none_match && conditions.if_none_match->match(*document)) {
    net::Response unchanged{.status = 304, .content_type = {}};
    unchanged.headers.emplace_back("ETag", quoted(etag_of(document->version)));
    return unchanged;
  }
  return describe(200, *document);
}

Result<net::Response> remove_document(NativeCall& call) {
  TRY(check(DocumentKey::of(call["id"])));
  const Conditions conditions = TRY(read_conditions(call.request));
  RemoveOptions options;
  options.author = TRY(author_of(call));
  options.is_final = TRY(boolean_parameter(call.request, "final")).value_or(false);
  TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
    const auto collection = TRY(find_collection(call, transaction.view().catalog()));
    const DocumentKey key = TRY(key_of(call, *collection));
    TRY(check_conditions(conditions, transaction, *collection, key));
    return transaction.remove(collection, key, options);
  }));
  return empty_response();
}

Result<net::Response> get_history(NativeCall& call) {
  TRY(check(DocumentKey::of(call["id"])));
  View view = call.database().view();
  const auto collection = TRY(find_collection(call, view.catalog()));
  const auto versions = TRY(view.history(*collection, TRY(key_of(call, *collection))));
  if (versions.empty()) return tl::unexpected(no_such_document(call["id"]));
  std::string body;
  JsonWriter json(body);
  json.begin_object();
  json.name("versions").begin_array();
  for (const Document& version : versions) render_version(version, body);
  json.end_array();
  json.end_object();
  return json_response(200, std::move(body));
}

}  // namespace mayfly::native
