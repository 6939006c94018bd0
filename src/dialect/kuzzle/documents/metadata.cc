#include "dialect/kuzzle/documents/metadata.h"

#include <utility>

namespace mayfly::kuzzle {
namespace {

Value text_or_null(std::string_view text) {
  return text.empty() ? Value(nullptr) : Value(text);
}

// The metadata within the source, if the generation shows them there.
std::optional<Object> metadata_in_source(const Document& document, const Generation& generation) {
  if (!generation.has_kuzzle_info) return std::nullopt;
  return metadata_of(document, generation);
}

// The metadata that the core keeps.
Object core_metadata(const Document& document) {
  const bool is_updated = document.has_been_updated();
  const bool has_updater = is_updated || document.version.is_removed();
  return {
      {"author", text_or_null(document.author)},
      {"createdAt", to_millis(document.created_at)},
      {"updatedAt", is_updated ? Value(to_millis(document.version.written_at)) : Value(nullptr)},
      {"updater", has_updater ? text_or_null(document.updater) : Value(nullptr)}};
}

// Adds a removal to the metadata of a bulk write.
void add_removal(const Document& document, Object& metadata) {
  metadata.set("updater", text_or_null(document.updater));
  metadata.set("active", false);
  metadata.set("deletedAt", to_millis(document.version.removed_at));
}

}  // namespace

std::int64_t to_millis(Instant t) {
  return t.micros / 1'000 - (t.micros % 1'000 < 0 ? 1 : 0);
}

Instant floor_millis(Instant t) {
  return t.is_never() ? t : Instant{} + Span::millis(to_millis(t));
}

Value stored_metadata(const Document& document) {
  if (document.body.raw_member(metadata_field).empty()) return {};
  Value stored = document.body.member(metadata_field);
  return stored.is(Kind::object) || stored.is_null() ? stored : Value();
}

std::optional<Object> metadata_of(const Document& document) {
  const Value stored = stored_metadata(document);
  if (stored.is_missing()) return core_metadata(document);
  if (stored.is_null()) return std::nullopt;
  return stored.object();
}

std::optional<Object> metadata_of(const Document& document, const Generation& generation) {
  if (!generation.shows_removal) return metadata_of(document);
  const bool is_removed = document.version.is_removed();
  const Value stored = stored_metadata(document);
  if (stored.is_missing()) {
    Object metadata = core_metadata(document);
    metadata.append("active", !is_removed);
    metadata.append("deletedAt",
                    is_removed ? Value(to_millis(document.version.removed_at)) : Value(nullptr));
    return metadata;
  }
  if (stored.is_null() && !is_removed) return std::nullopt;
  Object metadata = stored.is_null() ? Object() : stored.object();
  if (is_removed) add_removal(document, metadata);
  return metadata;
}

Value take_stored_metadata(Value& body) {
  Value stored = body.member(metadata_field);
  if (!stored.is_missing()) body.mutable_object().remove(metadata_field);
  return stored;
}

void restore_stored_metadata(Value& body, Value stored, const Update& update) {
  if (stored.is_missing()) return;
  if (stored.is_null()) stored = Object();
  if (stored.is(Kind::object)) {
    Object& metadata = stored.mutable_object();
    metadata.set("updatedAt", to_millis(update.at));
    metadata.set("updater", text_or_null(update.by));
    if (metadata.find("active") != nullptr) metadata.set("active", true);
    if (metadata.find("deletedAt") != nullptr) metadata.set("deletedAt", nullptr);
  }
  body.mutable_object().set(metadata_field, std::move(stored));
}

void render_id_and_version(const Document& document, JsonWriter& json) {
  json.member("_id", document.id);
  json.member("_version", document.revision);
}

void render_source(const Document& document, const Generation& generation, JsonWriter& json,
                   std::string_view name) {
  if (!document.body.raw_member(metadata_field).empty()) {
    return render_source(document.body.unpack(), document, generation, json, name);
  }
  json.name(name).begin_object();
  document.body.render_members(json.begin_value());
  if (auto metadata = metadata_in_source(document, generation)) {
    json.member(metadata_field, Value(*std::move(metadata)));
  }
  json.end_object();
}

void render_source(Value body, const Document& document, const Generation& generation,
                   JsonWriter& json, std::string_view name) {
  Object& members = body.mutable_object();
  members.remove(metadata_field);
  if (auto metadata = metadata_in_source(document, generation)) {
    members.append(std::string(metadata_field), *std::move(metadata));
  }
  json.member(name, body);
}

void render_meta(const Document& document, const Generation& generation, JsonWriter& json) {
  if (!generation.has_meta) return;
  if (auto metadata = metadata_of(document, generation)) {
    json.member("_meta", Value(*std::move(metadata)));
  }
}

void render_document(const Document& document, const Generation& generation, JsonWriter& json) {
  render_id_and_version(document, json);
  render_source(document, generation, json);
  render_meta(document, generation, json);
}

std::string render_whole(const Document& document, const Generation& generation) {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  render_document(document, generation, json);
  json.end_object();
  return out;
}

}  // namespace mayfly::kuzzle
