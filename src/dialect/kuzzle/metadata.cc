#include "dialect/kuzzle/metadata.h"

#include <fmt/format.h>

#include "value/json.h"

namespace mayfly::kuzzle {
namespace {

Value text_or_null(std::string_view text) {
  return text.empty() ? Value(nullptr) : Value(text);
}

void append_metadata(const Document& document, Shape shape, bool is_first, std::string& out) {
  if (shape == Shape::v1) return;
  if (!is_first) out += ',';
  out += R"("_kuzzle_info":)";
  render_json(metadata_of(document, shape), out);
}

// Of the facts those that a bulk write may have said.
constexpr std::string_view given_facts[] = {"author", "createdAt", "updatedAt", "updater"};

}  // namespace

std::int64_t to_millis(Instant t) {
  return t.micros / 1'000 - (t.micros % 1'000 < 0 ? 1 : 0);
}

Instant floor_millis(Instant t) {
  return t.is_never() ? t : Instant{} + Span::millis(to_millis(t));
}

Value given_metadata(const Document& document) {
  if (document.body.raw_member(metadata_field).empty()) return {};
  Value given = document.body.member(metadata_field);
  return given.is(Kind::object) ? given : Value();
}

Object metadata_of(const Document& document, Shape shape) {
  const bool is_removed = document.version.is_removed();
  const bool is_updated = document.has_been_updated();
  Object metadata{
      {"author", text_or_null(document.author)},
      {"createdAt", to_millis(document.created_at)},
      {"updatedAt", is_updated ? Value(to_millis(document.version.written_at)) : Value(nullptr)},
      {"updater", is_updated || is_removed ? text_or_null(document.updater) : Value(nullptr)}};
  if (const Value given = given_metadata(document); !given.is_missing()) {
    for (const std::string_view name : given_facts) {
      if (Value fact = given.member(name); !fact.is_missing()) metadata.set(name, std::move(fact));
    }
  }
  if (shape == Shape::v2) return metadata;
  metadata.append("active", !is_removed);
  metadata.append("deletedAt",
                  is_removed ? Value(to_millis(document.version.removed_at)) : Value(nullptr));
  return metadata;
}

void render_place(std::string_view index, std::string_view collection, std::string& out) {
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
  out += R"(,"_meta":)";
  render_json(metadata_of(document, shape), out);
}

}  // namespace mayfly::kuzzle
