#include "dialect/kuzzle/documents/metadata.h"

#include <fmt/format.h>

#include "value/json/json.h"

namespace mayfly::kuzzle {
namespace {

Value text_or_null(std::string_view text) {
  return text.empty() ? Value(nullptr) : Value(text);
}

void append_metadata(const Document& document, Shape shape, bool is_first, std::string& out) {
  if (shape == Shape::v1) return;
  const auto metadata = metadata_of(document, shape);
  if (!metadata) return;
  if (!is_first) out += ',';
  out += R"("_kuzzle_info":)";
  render_json(*metadata, out);
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

std::optional<Object> metadata_of(const Document& document, Shape shape) {
  const bool is_removed = document.version.is_removed();
  const Value stored = stored_metadata(document);
  if (stored.is_missing()) {
    Object metadata = core_metadata(document);
    if (shape == Shape::v2) return metadata;
    metadata.append("active", !is_removed);
    metadata.append("deletedAt",
                    is_removed ? Value(to_millis(document.version.removed_at)) : Value(nullptr));
    return metadata;
  }
  const bool shows_removal = is_removed && shape != Shape::v2;
  if (stored.is_null() && !shows_removal) return std::nullopt;
  Object metadata = stored.is_null() ? Object() : stored.object();
  if (shows_removal) add_removal(document, metadata);
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

void render_collection_name(std::string_view index, std::string_view collection, std::string& out) {
  out += R"("_index":)";
  render_json_text(index, out);
  out += R"(,"_type":)";
  render_json_text(collection, out);
}

void render_id_and_version(const Document& document, std::string& out) {
  out += R"("_id":)";
  render_json_text(document.id, out);
  out += fmt::format(R"(,"_version":{})", document.revision);
}

void render_source(const Document& document, Shape shape, std::string& out) {
  if (!document.body.raw_member(metadata_field).empty()) {
    return render_source(document.body.unpack(), document, shape, out);
  }
  out += R"("_source":{)";
  const bool has_any = document.body.render_members(out);
  append_metadata(document, shape, !has_any, out);
  out += '}';
}

void render_source(Value body, const Document& document, Shape shape, std::string& out) {
  out += R"("_source":)";
  if (!body.member(metadata_field).is_missing()) body.mutable_object().remove(metadata_field);
  std::string text = render_json(body);
  text.pop_back();
  append_metadata(document, shape, text.size() == 1, text);
  out += text;
  out += '}';
}

void render_meta(const Document& document, Shape shape, std::string& out) {
  if (shape == Shape::v2) return;
  const auto metadata = metadata_of(document, shape);
  if (!metadata) return;
  out += R"(,"_meta":)";
  render_json(*metadata, out);
}

}  // namespace mayfly::kuzzle
