// The actions that write one document.
#include <fmt/format.h>

#include "dialect/kuzzle/actions.h"
#include "dialect/kuzzle/collections/places.h"
#include "dialect/kuzzle/documents/field_set.h"
#include "dialect/kuzzle/documents/metadata.h"
#include "dialect/kuzzle/documents/write.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/limits.h"
#include "dialect/kuzzle/queries.h"
#include "dialect/kuzzle/realtime/notifier.h"
#include "value/json/json.h"

namespace mayfly::kuzzle {
namespace {

constexpr std::string_view shards = R"(,"_shards":{"total":1,"successful":1,"failed":0})";

Result<std::string> id_of(const Call& call, WriteKind how) {
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

Result<WriteRequest> write_request_of(const Call& call, WriteKind how) {
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

struct Written {
  Document document;
  bool is_new = false;
};

Result<Written> write(const Call& call, const WriteRequest& request) {
  CollectionPtr collection;
  Written written;
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

std::string render_v1(const Call& call, const Written& written, WriteKind how) {
  std::string out = "{";
  render_collection_name(call.message.index, call.message.collection, out);
  out += ',';
  render_id_and_version(written.document, out);
  out += written.is_new ? R"(,"result":"created")" : R"(,"result":"updated")";
  out += shards;
  if (how == WriteKind::update) return out + '}';
  out += written.is_new ? R"(,"created":true,)" : R"(,"created":false,)";
  render_source(written.document, call.shape(), out);
  render_meta(written.document, call.shape(), out);
  return out + '}';
}

// The answer to an update has only the changes, unless the whole source is requested.
void render_changes(const Written& written, const Value& changes, std::string& out) {
  Value shown_source = changes;
  const Object all = metadata_of(written.document, Shape::v2).value_or(Object());
  Object shown;
  for (const std::string_view name : {"updatedAt", "updater"}) {
    if (const Value* fact = all.find(name)) shown.append(std::string(name), *fact);
  }
  shown_source.mutable_object().set(metadata_field, std::move(shown));
  out += R"("_source":)";
  render_json(shown_source, out);
}

Result<std::string> render_v2(const Call& call, const Written& written,
                              const WriteRequest& request) {
  std::string out = "{";
  render_id_and_version(written.document, out);
  out += ',';
  const bool is_update = request.how == WriteKind::update || request.how == WriteKind::upsert;
  if (request.how == WriteKind::update && !TRY(call.flag("source"))) {
    render_changes(written, request.body, out);
  } else if (request.how == WriteKind::upsert && !TRY(call.flag("source"))) {
    out.pop_back();
  } else {
    render_source(written.document, Shape::v2, out);
  }
  if ((!is_update || request.how == WriteKind::upsert) && request.how != WriteKind::with_metadata) {
    out += written.is_new ? R"(,"created":true)" : R"(,"created":false)";
  }
  return out + '}';
}

Result<std::string> answer_write(Call& call, WriteKind how) {
  const WriteRequest request = TRY(write_request_of(call, how));
  const Written written = TRY(write(call, request));
  return call.is_v2() ? render_v2(call, written, request) : render_v1(call, written, how);
}

}  // namespace

Result<std::string> create_document(Call& call) {
  return answer_write(call, WriteKind::create);
}

Result<std::string> create_or_replace_document(Call& call) {
  return answer_write(call, WriteKind::create_or_replace);
}

Result<std::string> replace_document(Call& call) {
  return answer_write(call, WriteKind::replace);
}

Result<std::string> update_document(Call& call) {
  return answer_write(call, WriteKind::update);
}

Result<std::string> upsert_document(Call& call) {
  return answer_write(call, WriteKind::upsert);
}

Result<std::string> write_with_metadata(Call& call) {
  return answer_write(call, WriteKind::with_metadata);
}

Result<std::string> delete_document(Call& call) {
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
  std::string out = "{";
  if (!call.is_v2()) {
    render_collection_name(call.message.index, call.message.collection, out);
    out += ',';
    render_id_and_version(*before, out);
    out += R"(,"result":"updated")";
    out += shards;
    return out + '}';
  }
  out += R"("_id":)";
  render_json_text(id, out);
  if (TRY(call.flag("source"))) {
    out += ',';
    render_source(*before, Shape::v2, out);
  }
  return out + '}';
}

Result<std::string> delete_fields(Call& call) {
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
  std::string out = "{";
  render_id_and_version(*after, out);
  if (TRY(call.flag("source"))) {
    out += ',';
    render_source(*after, call.shape(), out);
  }
  return out + '}';
}

}  // namespace mayfly::kuzzle
