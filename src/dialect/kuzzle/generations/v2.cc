// The renderer of version 2.
#include "dialect/kuzzle/documents/metadata.h"
#include "dialect/kuzzle/generations/renderer.h"
#include "dialect/kuzzle/generations/shared.h"

namespace mayfly::kuzzle {
namespace {

// The answer to an update has only the changes, and who made them when.
Value changed_source(const WrittenDocument& written) {
  const Object all = metadata_of(written.document).value_or(Object());
  Object shown;
  for (const std::string_view name : {"updatedAt", "updater"}) {
    if (const Value* fact = all.find(name)) shown.append(std::string(name), *fact);
  }
  Value source = written.changes;
  source.mutable_object().set(metadata_field, std::move(shown));
  return source;
}

bool shows_creation(WriteKind how) {
  return how != WriteKind::update && how != WriteKind::with_metadata;
}

class RendererOfV2 final : public Renderer {
 public:
  void found(const FoundDocument& found, JsonWriter& json) const override {
    json.begin_object();
    render_document(found.document, generations::v2, json);
    json.end_object();
  }
  void missing(NamedCollection, const std::string& id, ManyResults& results,
               JsonWriter&) const override {
    results.errors.emplace_back(id);
  }
  void end_many(const ManyResults& results, JsonWriter& json) const override {
    json.member("errors", Value(results.errors));
  }
  void written(const WrittenDocument& written, JsonWriter& json) const override {
    json.begin_object();
    render_id_and_version(written.document, json);
    if (written.shows_source) {
      render_source(written.document, generations::v2, json);
    } else if (written.how == WriteKind::update) {
      json.member("_source", changed_source(written));
    }
    if (shows_creation(written.how)) json.member("created", written.is_new);
    json.end_object();
  }
  void written_item(const WrittenItem& item, JsonWriter& json) const override {
    json.begin_object();
    render_id_and_version(item.document, json);
    render_write_result(item, json);
    if (item.shows_source) render_source(item.document, generations::v2, json);
    json.end_object();
  }
  void deleted(const DeletedDocument& deleted, JsonWriter& json) const override {
    json.begin_object();
    json.member("_id", deleted.id);
    if (deleted.shows_source) render_source(deleted.before, generations::v2, json);
    json.end_object();
  }
  void deleted_many(const DeletedMany& deleted, JsonWriter& json) const override {
    json.begin_object();
    json.member("successes", Value(deleted.ids));
    json.member("errors", Value(deleted.errors));
    json.end_object();
  }
  void deleted_by_query(const DeletedByQuery& deleted, JsonWriter& json) const override {
    json.begin_object();
    json.name("documents").begin_array();
    json.raw(deleted.documents);
    json.end_array();
    json.member("ids", Value(deleted.ids));
    json.end_object();
  }
  void imported(const Imported& imported, JsonWriter& json) const override {
    json.begin_object();
    json.member("successes", Value(imported.items));
    json.member("errors", Value(imported.errors));
    json.end_object();
  }

  void begin_search(JsonWriter&) const override {}
  void end_search(const FoundHits& found, JsonWriter& json) const override {
    render_search_rest(found, generations::v2, json);
    if (!found.scroll_id.empty()) json.member("remaining", found.remaining);
  }
  void hit(const FoundHit& found, JsonWriter& json) const override {
    if (found.is_one_of_many) {
      json.member("index", found.place.index);
      json.member("collection", found.place.collection);
    }
    render_hit_source(found, generations::v2, json);
  }
  void counted(std::uint64_t count, JsonWriter& json) const override {
    json.begin_object();
    json.member("count", count);
    json.end_object();
  }

  void mapping(const CollectionMapping& mapping, JsonWriter& json) const override {
    json.value(mapping.mapping);
  }
  void truncated(const Array&, JsonWriter& json) const override {
    json.begin_object();
    json.member("acknowledged", true);
    json.end_object();
  }
  void unsubscribed(std::string_view room, JsonWriter& json) const override {
    json.begin_object();
    json.member("roomId", room);
    json.end_object();
  }
  void valid_token(const ValidToken& token, JsonWriter& json) const override {
    json.begin_object();
    json.member("valid", true);
    json.member("expiresAt", token.expires_at);
    json.member("kuid", token.user_id);
    json.end_object();
  }

  Object error(const FailedRequest& failed) const override {
    return {{"id", failed.id},           {"code", static_cast<std::int64_t>(failed.number)},
            {"message", failed.message}, {"props", Array()},
            {"status", failed.status},   {"stack", "Error: " + failed.message}};
  }
  std::optional<Object> partial_error(const PartialFailure&) const override { return std::nullopt; }

  void event(const realtime::Notification& notification, JsonWriter& json) const override {
    json.member("event", notification.event);
    json.member("node", notification.node);
  }
  Object in_scope(const realtime::NotifiedDocument& notified,
                  const realtime::Facts& facts) const override {
    Object result{{"_source", realtime::body_with_facts(*notified.after, facts)},
                  {"_id", Value(notified.id)}};
    add_changed_fields(notified, generations::v2, result);
    return result;
  }
  // The current or last state of the document.
  Object out_of_scope(const realtime::NotifiedDocument& notified,
                      const realtime::Facts& facts) const override {
    if (notified.after) return in_scope(notified, facts);
    return {{"_source", realtime::body_with_facts(*notified.before, facts)},
            {"_id", Value(notified.id)}};
  }
};

constinit const RendererOfV2 newest_renderer;

}  // namespace

const Renderer& renderer_of_v2() {
  return newest_renderer;
}

}  // namespace mayfly::kuzzle
