// One document: created, read, replaced, removed.
#include "dialect/cosmos/actions.h"

#include <cmath>

#include "dialect/cosmos/containers/container.h"
#include "dialect/cosmos/documents/document.h"
#include "dialect/cosmos/documents/find.h"
#include "dialect/cosmos/documents/writes/patch.h"
#include "dialect/cosmos/documents/writes/patched.h"
#include "dialect/cosmos/documents/writes/write.h"
#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/ranges/document_selection.h"
#include "dialect/cosmos/reply.h"
#include "dialect/cosmos/resources/system_properties.h"
#include "dialect/cosmos/scripts/runtime/run.h"
#include "dialect/cosmos/scripts/triggers.h"
#include "dialect/cosmos/ttl/hint.h"
#include "value/json/json.h"

namespace mayfly::cosmos {
namespace {

constexpr double kilobyte = 1'024;

// Reading costs 1 unit and writing 5 units per started kilobyte; expirations cost nothing.
double charge_of_read(std::size_t bytes) {
  return std::max(1.0, std::ceil(static_cast<double>(bytes) / kilobyte));
}
double charge_of_write(std::size_t bytes) {
  return 5 * charge_of_read(bytes) + 0.52;
}

net::Response answer_with(int status, const Container& container, const Document& document,
                          bool is_minimal) {
  std::string body;
  if (!is_minimal) render_document(container, document, body);
  net::Response response =
      one_resource(status, std::move(body), etag_of(document.version.written_at));
  add_container_headers(container, response, range_of(container, document.body));
  return response;
}

net::Response answer_written(const CosmosCall& call, int status, const Container& container,
                             const Document& document) {
  net::Response response = answer_with(status, container, document, call.wants_minimal());
  set_charge(charge_of_write(call.request.body.size()), response);
  const std::string_view hint = hint_of(document.body, container.definition);
  if (!hint.empty()) response.headers.emplace_back(hint_header, hint);
  return response;
}

// Checks that the key in the header, if there is one, is the document's.
Result<void> check_key_header(CosmosCall& call, const Container& container,
                              const NewDocument& document) {
  const std::string_view header = call.header(partition_key_header);
  if (header.empty()) return {};
  const PartitionValues values = TRY(parse_partition_values(header));
  const PartitionKey& key = container.definition.key;
  const bool is_part = !is_whole(key, values) && !values.empty();
  if (is_part) return tl::unexpected(key_does_not_correspond());
  if (is_whole(key, values) && routing_of(key, values) == document.routing) return {};
  call.substatus = key_differs_substatus;
  return tl::unexpected(
      bad_request("PartitionKey extracted from document doesn't match the one specified in the "
                  "header"));
}

WriteOperation write_operation_of(WriteMode mode) {
  switch (mode) {
    case WriteMode::create: return WriteOperation::create;
    case WriteMode::upsert: return WriteOperation::upsert;
    case WriteMode::replace: break;
  }
  return WriteOperation::replace;
}

// Checks that a replacement does not change the document's key.
Result<void> check_key_unchanged(const DocumentKey& key, const NewDocument& document) {
  if (key.id == document.id && key.routing == document.routing) return {};
  return tl::unexpected(
      bad_request("Replacing a document cannot change its id or partition key: '" + key.id + "'."));
}

// Sets the answer's body to the value that a trigger has set.
void set_reported_body(const CosmosCall& call, Value& reported, Instant began_at, Instant at,
                       net::Response& response) {
  if (reported.is_missing() || call.wants_minimal()) return;
  report_as_committed(reported, etag_of(began_at), at);
  response.body = render_json(reported);
}

Result<net::Response> put(CosmosCall& call, WriteMode mode) {
  const IfMatch if_match = parse_if_match(call.header("if-match"));
  ContainerPtr container;
  WriteResult written;
  std::optional<Value> reported;  // set by a trigger instead of the document
  Instant began_at;
  net::Response response;
  Triggers triggers = TRY(Triggers::of(call, write_operation_of(mode)));
  const auto work = [&](Transaction& transaction) -> Result<void> {
    began_at = transaction.now();
    container = TRY(call.containers.find(transaction.view().catalog(), call.address));
    const auto changed = TRY(triggers.before(transaction, *container));
    NewDocument document =
        TRY(parse_document(changed ? *changed : call.request.body, container->definition));
    TRY(check_key_header(call, *container, document));
    if (mode == WriteMode::replace) {
      const DocumentKey key = TRY(addressed_document(call, *container, transaction.view()));
      TRY(check_key_unchanged(key, document));
    }
    written = TRY(write_document(call.rid_numbers, transaction, *container, std::move(document),
                                 mode, if_match));
    reported = TRY(triggers.after(transaction, *container, written.key));
    return {};
  };
  const auto committed = [&](const Transaction& transaction, Instant at) {
    const auto document = transaction.written(container->collection, written.key);
    if (!document) return;
    response = answer_written(call, written.is_new ? 201 : 200, *container, *document);
    if (reported) set_reported_body(call, *reported, began_at, at, response);
  };
  TRY(call.database().transact(work, committed));
  return response;
}

}  // namespace

Result<net::Response> create_document(CosmosCall& call) {
  return put(call,
             call.has_flag("x-ms-documentdb-is-upsert") ? WriteMode::upsert : WriteMode::create);
}

Result<net::Response> replace_document(CosmosCall& call) {
  return put(call, WriteMode::replace);
}

Result<net::Response> patch_document(CosmosCall& call) {
  const Value body = TRY(parse_json(call.request.body));
  const IfMatch if_match = parse_if_match(call.header("if-match"));
  ContainerPtr container;
  DocumentKey key;
  std::optional<Value> reported;  // set by a trigger instead of the document
  Instant began_at;
  net::Response response;
  Triggers triggers = TRY(Triggers::of(call, WriteOperation::replace));
  const auto work = [&](Transaction& transaction) -> Result<void> {
    began_at = transaction.now();
    container = TRY(call.containers.find(transaction.view().catalog(), call.address));
    key = TRY(addressed_document(call, *container, transaction.view()));
    const Patch patch = TRY(parse_patch(body, container->definition.key));
    NewDocument document = TRY(patched(transaction, *container, key, patch));
    if (const auto changed =
            TRY(triggers.before(transaction, *container, Packed(document.packed).unpack()))) {
      document = TRY(take_document(*changed, container->definition));
      TRY(check_key_unchanged(key, document));
    }
    TRY(write_document(call.rid_numbers, transaction, *container, std::move(document),
                       WriteMode::replace, if_match));
    reported = TRY(triggers.after(transaction, *container, key));
    return {};
  };
  const auto committed = [&](const Transaction& transaction, Instant at) {
    const auto document = transaction.written(container->collection, key);
    if (!document) return;
    response = answer_written(call, 200, *container, *document);
    if (reported) set_reported_body(call, *reported, began_at, at, response);
  };
  TRY(call.database().transact(work, committed));
  return response;
}

Result<net::Response> read_document(CosmosCall& call) {
  Database& database = call.database();
  const ContainerPtr container = TRY(call.containers.find(*database.catalog(), call.address));
  const auto document = TRY(find_document(call, *container));
  if (!document) return tl::unexpected(no_such_resource());
  const std::string_view known = call.header("if-none-match");
  const Instant written_at = document->version.written_at;
  if (!known.empty() && (known == "*" || parse_etag(known) == written_at)) {
    net::Response response = not_modified(etag_of(written_at));
    add_container_headers(*container, response);
    return response;
  }
  net::Response response = answer_with(200, *container, *document, false);
  set_charge(charge_of_read(response.body.size()), response);
  return response;
}

Result<net::Response> remove_document(CosmosCall& call) {
  const IfMatch if_match = parse_if_match(call.header("if-match"));
  ContainerPtr container;
  Triggers triggers = TRY(Triggers::of(call, WriteOperation::remove));
  TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
    container = TRY(call.containers.find(transaction.view().catalog(), call.address));
    const DocumentKey key = TRY(addressed_document(call, *container, transaction.view()));
    TRY(triggers.before(transaction, *container));
    TRY(remove_document(transaction, *container, key, if_match));
    return triggers.after(transaction, *container, key).map([](const auto&) {});
  }));
  net::Response response = removed();
  add_container_headers(*container, response);
  set_charge(charge_of_write(0), response);
  return response;
}

}  // namespace mayfly::cosmos
