#include "dialect/kuzzle/generations/shared.h"

#include "dialect/kuzzle/documents/metadata.h"

namespace mayfly::kuzzle {

void render_write_result(const WrittenItem& item, JsonWriter& json) {
  json.member("result", item.is_new ? "created" : "updated");
  json.member("created", item.is_new);
  json.member("status", item.is_new ? 201 : 200);
}

void render_score(const std::optional<double>& score, JsonWriter& json) {
  if (!score) return json.null();
  json.value(search::number_of_score(*score));
}

void render_hit_source(const FoundHit& found, const Generation& generation, JsonWriter& json) {
  const Document& document = found.hit.document;
  render_id_and_version(document, json);
  json.name("_score");
  render_score(found.hit.score, json);
  if (!found.filtered_source.is_missing()) {
    render_source(found.filtered_source, document, generation, json);
  } else if (found.shows_source) {
    render_source(document, generation, json);
  }
  render_meta(document, generation, json);
}

void render_search_rest(const FoundHits& found, const Generation& generation, JsonWriter& json) {
  if (!found.answer.aggregations.is_missing()) {
    json.member("aggregations", found.answer.aggregations);
  }
  if (found.scroll_id.empty()) return;
  for (const std::string_view name : generation.scroll_id_members) {
    json.member(name, found.scroll_id);
  }
}

void add_changed_fields(const realtime::NotifiedDocument& notified, const Generation& generation,
                        Object& result) {
  if (generation.changed_fields == nullptr || !notified.updated_fields) return;
  const auto& changed = (*notified.updated_fields).*generation.changed_fields;
  result.set("_updatedFields", Value(Array(changed.begin(), changed.end())));
}

}  // namespace mayfly::kuzzle
