// The actions that write one document.
#include <fmt/format.h>

#include "dialect/kuzzle/actions.h"
#include "dialect/kuzzle/collections/places.h"
#include "dialect/kuzzle/documents/field_set.h"
#include "dialect/kuzzle/documents/metadata.h"
#include "dialect/kuzzle/documents/write.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/generations/renderer.h"
#include "dialect/kuzzle/limits.h"
#include "dialect/kuzzle/queries.h"
#include "dialect/kuzzle/realtime/notifier.h"

namespace mayfly::kuzzle {
namespace {

Result<std::string> id_of(const KuzzleCall& call, WriteKind how) {
  const bool may_lack_id = how == WriteKind::create || how == WriteKind::with_metadata;
  if (may_lack_id && (!call.message.id || call.message.id->empty())) {
    return new_document_id(call.shared.services.random);
  }
  const std::string id = TRY(call.id());
  const bool chooses_id = may_lack_id || how == WriteKind::create_or_replace;
  if (chooses_id && id.front() == '_') {
    return problem("api.assert.invalid_id",
                   "The request must not specify an _id that starts with an underscore (_).");
  }
  return id;
}

Result<WriteRequest> write_request_of(const KuzzleCall& call, WriteKind how) {
  TRY(call.index());
  TRY(call.collection());
  const Object& body = *TRY(call.body());
  auto id = TRY(id_of(call, how));
  WriteRequest request{.how = how, .id = std::move(id), .body = body};
  TRY(call.check_refresh());
  if (body.find("_routing") != nullptr) {
    return problem(
        "api.assert.invalid_argument",
        fmt::format("Kuzzle does not support \"_routing\" in {} action.", call.message.action));
  }
  if (how != WriteKind::upsert) return request;
  const Value* changes = body.find("changes");
  if (changes == nullptr) return missing_in_body("changes");
  if (!changes->is(Kind::object)) return wrong_type("changes", "object");
  const Value* otherwise = body.find("default");
  const bool has_default = otherwise != nullptr && otherwise->is(Kind::object);
  if (has_default) request.otherwise = *otherwise;
  request.body = Value(*changes);
  return request;
}

struct WriteOutcome {
  Document document;
  bool is_new = false;
};

Result<WriteOutcome> write(const KuzzleCall& call, const WriteRequest& request) {
  CollectionPtr collection;
  WriteOutcome written;
  Notifier notifier(call);
  const bool is_whole = request.how != WriteKind::update && request.how != WriteKind::upsert;
  std::size_t fields_left = limits::updated_fields_bytes_max;
  const auto fields = is_whole ? nullptr : updated_fields(request.body, fields_left);
  if (is_whole && !suppresses_notifications(call)) {
    TRY(call.shared.realtime.pending(origin_of(call, call.message.action),
                                     {call.message.index, call.message.collection}, request.id,
                                     request.body));
  }
  notifier.committed(TRY(call.database().transact(
      [&](Transaction& transaction) -> Result<void> {
        collection = TRY(collection_to_write(call, transaction.view().catalog()));
        notifier.writes({request.id}, fields);
        written.is_new = TRY(write_document(call, transaction, collection, request));
        return {};
      },
      [&](const Transaction& transaction, Instant) {
        written.document = *transaction.written(collection, DocumentKey::of(request.id));
      })));
  return written;
}

// Whether the answer to a write shows the document.
Result<bool> shows_source(const KuzzleCall& call, WriteKind how) {
  if (how != WriteKind::update && how != WriteKind::upsert) return true;
  return call.asks_for_source();
}

Result<std::string> answer_write(KuzzleCall& call, WriteKind how) {
  const WriteRequest request = TRY(write_request_of(call, how));
  const WriteOutcome written = TRY(write(call, request));
  const bool is_shown = TRY(shows_source(call, how));
  std::string out;
  JsonWriter json(out);
  call.renderer().written({.place = named_collection(call.message),
                           .document = written.document,
                           .is_new = written.is_new,
                           .how = how,
                           .changes = request.body,
                           .shows_source = is_shown},
                          json);
  return out;
}

}  // namespace

Result<std::string> create_document(KuzzleCall& call) {
  return answer_write(call, WriteKind::create);
}

Result<std::string> create_or_replace_document(KuzzleCall& call) {
  return answer_write(call, WriteKind::create_or_replace);
}

Result<std::string> replace_document(KuzzleCall& call) {
  return answer_write(call, WriteKind::replace);
}

Result<std::string> update_document(KuzzleCall& call) {
  return answer_write(call, WriteKind::update);
}

Result<std::string> upsert_document(KuzzleCall& call) {
  return answer_write(call, WriteKind::upsert);
}

Result<std::string> write_with_metadata(KuzzleCall& call) {
  return answer_write(call, WriteKind::with_metadata);
}

Result<std::string> delete_document(KuzzleCall& call) {
  TRY(call.index());
  TRY(call.collection());
  const std::string id = TRY(call.id());
  TRY(call.check_refresh());
  std::optional<Document> before;
  Notifier notifier(call);
  notifier.committed(TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
    View& view = transaction.view();
    const auto collection = TRY(collection_to_write(call, view.catalog()));
    before = TRY(view.get(*collection, DocumentKey::of(id), view.live()));
    notifier.writes({id});
    return remove_document(call, transaction, collection, DocumentKey::of(id));
  })));
  const bool is_shown = TRY(call.asks_for_source());
  std::string out;
  JsonWriter json(out);
  call.renderer().deleted({.place = named_collection(call.message),
                           .id = id,
                           .before = *before,
                           .shows_source = is_shown},
                          json);
  return out;
}

Result<std::string> delete_fields(KuzzleCall& call) {
  const std::string id = TRY(call.id());
  const FieldSet fields = TRY(FieldSet::parse(*TRY(call.body_array("fields"))));
  Meter meter = meter_of(call);
  const DocumentKey key = DocumentKey::of(id);
  CollectionPtr collection;
  std::optional<Document> after;
  Notifier notifier(call, "update");
  notifier.committed(TRY(call.database().transact(
      [&](Transaction& transaction) -> Result<void> {
        View& view = transaction.view();
        collection = TRY(collection_to_write(call, view.catalog()));
        notifier.writes({id});
        const auto living = TRY(view.get(*collection, key, view.live()));
        if (!living) return no_such_document(call.message);
        Value body = living->body.unpack();
        Value metadata = take_stored_metadata(body);
        TRY(fields.remove_from(body, meter));
        body = TRY(fit(call, *collection, id, std::move(body), Extent::changes));
        restore_stored_metadata(body, std::move(metadata),
                                {.at = transaction.now(), .by = call.principal.id});
        TRY(transaction.put(collection, living->document_key(), TRY(pack(body)),
                            {.author = call.principal.id}));
        return {};
      },
      [&](const Transaction& transaction, Instant) {
        after = transaction.written(collection, key);
      })));
  const bool is_shown = TRY(call.flag("source"));
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  render_id_and_version(*after, json);
  if (is_shown) render_source(*after, call.generation(), json);
  json.end_object();
  return out;
}

}  // namespace mayfly::kuzzle
