// The renderer of version 1: 1.2, and 1.12 by its facts.
#include "dialect/kuzzle/documents/metadata.h"
#include "dialect/kuzzle/generations/renderer.h"
#include "dialect/kuzzle/generations/shared.h"

namespace mayfly::kuzzle {
namespace {

void render_place(NamedCollection place, JsonWriter& json) {
  json.member("_index", place.index);
  json.member("_type", place.collection);
}

class RendererOfV1 final : public Renderer {
 public:
  explicit constexpr RendererOfV1(const Generation& generation) : generation_(generation) {}

  void found(const FoundDocument& found, JsonWriter& json) const override {
    json.begin_object();
    render_place(found.place, json);
    render_id_and_version(found.document, json);
    json.member("found", true);
    render_source(found.document, generation_, json);
    render_meta(found.document, generation_, json);
    json.end_object();
  }
  void missing(NamedCollection place, const std::string& id, ManyResults& results,
               JsonWriter& json) const override {
    ++results.total;
    json.begin_object();
    render_place(place, json);
    json.member("_id", id);
    json.member("found", false);
    json.end_object();
  }
  void end_many(const ManyResults& results, JsonWriter& json) const override {
    json.member("total", results.total);
  }
  void written(const WrittenDocument& written, JsonWriter& json) const override {
    json.begin_object();
    render_place(written.place, json);
    render_id_and_version(written.document, json);
    json.member("result", written.is_new ? "created" : "updated");
    json.raw_member("_shards", one_shard);
    if (written.how != WriteKind::update) {
      json.member("created", written.is_new);
      render_source(written.document, generation_, json);
      render_meta(written.document, generation_, json);
    }
    json.end_object();
  }
  void written_item(const WrittenItem& item, JsonWriter& json) const override {
    json.begin_object();
    render_place(item.place, json);
    render_id_and_version(item.document, json);
    render_write_result(item, json);
    render_source(item.document, generation_, json);
    render_meta(item.document, generation_, json);
    json.end_object();
  }
  void deleted(const DeletedDocument& deleted, JsonWriter& json) const override {
    json.begin_object();
    render_place(deleted.place, json);
    render_id_and_version(deleted.before, json);
    json.member("result", "updated");
    json.raw_member("_shards", one_shard);
    json.end_object();
  }
  void deleted_many(const DeletedMany& deleted, JsonWriter& json) const override {
    json.value(deleted.ids);
  }
  void deleted_by_query(const DeletedByQuery& deleted, JsonWriter& json) const override {
    json.begin_object();
    json.member("ids", Value(deleted.ids));
    json.end_object();
  }
  void imported(const Imported& imported, JsonWriter& json) const override {
    json.begin_object();
    json.member("took", 0);
    json.member("errors", !imported.errors.empty());
    json.member("items", Value(imported.items));
    json.end_object();
  }

  void begin_search(JsonWriter& json) const override {
    json.member("took", 0);
    json.member("timed_out", false);
    json.raw_member("_shards", one_shard);
  }
  void end_search(const FoundHits& found, JsonWriter& json) const override {
    json.name("max_score");
    render_score(found.answer.max_score, json);
    render_search_rest(found, generation_, json);
  }
  void hit(const FoundHit& found, JsonWriter& json) const override {
    render_place(found.place, json);
    render_hit_source(found, generation_, json);
  }
  void counted(std::uint64_t count, JsonWriter& json) const override {
    json.begin_object();
    json.member("count", count);
    json.raw_member("_shards", one_shard);
    json.end_object();
  }

  void mapping(const CollectionMapping& mapping, JsonWriter& json) const override {
    json.begin_object();
    json.name(mapping.place.index).begin_object();
    json.name("mappings").begin_object();
    json.member(mapping.place.collection, mapping.mapping);
    json.end_object();
    json.end_object();
    json.end_object();
  }
  void truncated(const Array& ids, JsonWriter& json) const override {
    json.begin_object();
    json.member("ids", Value(ids));
    json.end_object();
  }
  void unsubscribed(std::string_view room, JsonWriter& json) const override { json.text(room); }
  void valid_token(const ValidToken& token, JsonWriter& json) const override {
    json.begin_object();
    json.member("valid", true);
    json.member("expiresAt", token.expires_at);
    json.end_object();
  }

  Object error(const FailedRequest& failed) const override {
    return {{"message", failed.message},
            {"status", failed.status},
            {"stack", "Error: " + failed.message}};
  }
  std::optional<Object> partial_error(const PartialFailure& failure) const override {
    return Object{{"message", failure.message},
                  {"status", failure.status},
                  {"stack", "Error: " + failure.message},
                  {"errors", failure.errors},
                  {"count", static_cast<std::int64_t>(failure.errors.size())}};
  }

  void event(const realtime::Notification& notification, JsonWriter& json) const override {
    json.member("state", notification.state == realtime::State::done ? "done" : "pending");
  }
  // Notifications of 1.12 have the metadata only here, too.
  Object in_scope(const realtime::NotifiedDocument& notified,
                  const realtime::Facts& facts) const override {
    Value source = notified.after->body.unpack();
    source.mutable_object().remove(metadata_field);
    Object result{{"_meta", Value(facts(*notified.after, generation_))},
                  {"_source", std::move(source)},
                  {"_id", Value(notified.id)}};
    add_changed_fields(notified, generation_, result);
    return result;
  }
  Object out_of_scope(const realtime::NotifiedDocument& notified,
                      const realtime::Facts& facts) const override {
    Object result;
    if (!notified.after) result.set("_meta", Value(facts(*notified.before, generation_)));
    result.set("_id", Value(notified.id));
    return result;
  }

 private:
  const Generation& generation_;
};

constinit const RendererOfV1 earliest_renderer(generations::v1);
constinit const RendererOfV1 late_renderer(generations::v1_late);

}  // namespace

const Renderer& renderer_of_v1() {
  return earliest_renderer;
}

const Renderer& renderer_of_v1_late() {
  return late_renderer;
}

}  // namespace mayfly::kuzzle
