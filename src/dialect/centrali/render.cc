#include "dialect/centrali/render.h"

#include "dialect/centrali/records/references/expand.h"
#include "value/json/writer.h"
#include "value/rfc3339.h"

namespace mayfly::centrali {
namespace {

// REACHES DISK: the prefix of this dialect's facets; JSON follows.
constexpr std::string_view metadata_mark = "centrali:";

void put_status(const Document& document, JsonWriter& json) {
  json.member("status", document.version.is_removed() ? "archived" : "active");
}

void put_expires_at(const Document& document, JsonWriter& json) {
  json.time_or_null("expiresAt", floor_millis(document.death));
}

void put_created_at(const Document& document, JsonWriter& json) {
  json.time_or_null("createdAt", floor_millis(document.created_at));
}

void put_updated_at(const Document& document, JsonWriter& json) {
  json.time_or_null("updatedAt", floor_millis(document.version.written_at));
}

void put_version(const Document& document, JsonWriter& json) {
  json.member("version", document.revision);
}

// The record's own fields that can be left out or selected.
struct OwnField {
  std::string_view name;
  void (*put)(const Document&, JsonWriter&);
};
constexpr OwnField own_fields[] = {
    {"version", put_version},
    {"status", put_status},
    {"expiresAt", put_expires_at},
    {"createdAt", put_created_at},
    {"updatedAt", put_updated_at},
    {"createdBy",
     [](const Document& d, JsonWriter& json) { json.text_or_null("createdBy", d.author); }},
    {"updatedBy",
     [](const Document& d, JsonWriter& json) { json.text_or_null("updatedBy", d.updater); }},
};

bool selects(const Selection& selection, std::string_view name) {
  for (const NamedField& field : selection.own) {
    if (field.name == name) return true;
  }
  return false;
}

// The selected fields of the data, at their paths.
Value selected_data(const Document& document, const Selection& selection) {
  Value data{Object{}};
  for (const Path& path : selection.data) {
    Value value = document.body.at(path);
    if (value.is_missing()) continue;
    // Cannot fail: no selected path is within another.
    static_cast<void>(set_at(data, path, std::move(value)));
  }
  return data;
}

void render_data(const Document& document, const PutMembers& put, std::string& out) {
  if (!put) return document.body.render(out);
  JsonWriter json(out);
  json.begin_object();
  document.body.render_members(out);
  put(out);
  json.end_object();
}

void render_selected(const Document& document, const RecordStyle& style, const PutMembers& put,
                     std::string& out) {
  const Selection& selection = *style.selection;
  JsonWriter json(out);
  json.begin_object();
  json.member("id", document.id);
  json.name("data");
  if (selection.has_all_data) {
    render_data(document, put, out);
  } else {
    json.begin_object();
    json.members(selected_data(document, selection).object());
    if (put) put(out);
    json.end_object();
  }
  for (const OwnField& field : own_fields) {
    if (selects(selection, field.name)) field.put(document, json);
  }
  json.end_object();
}

}  // namespace

Instant floor_millis(Instant t) {
  if (t.is_never()) return t;
  const std::int64_t rest = t.micros % 1'000;
  return {t.micros - (rest < 0 ? rest + 1'000 : rest)};
}

std::string render_time(Instant t) {
  return render_rfc3339(floor_millis(t), Fraction::shortest);
}

void render_record(const Document& document, const RecordStyle& style, std::string& out) {
  if (style.expansion == nullptr || style.expansion->is_empty()) {
    return render_record_with(document, style, {}, out);
  }
  const auto put = [&](std::string& text) { style.expansion->render(document, text); };
  render_record_with(document, style, put, out);
}

void render_record_with(const Document& document, const RecordStyle& style, const PutMembers& put,
                        std::string& out) {
  if (style.selection != nullptr) return render_selected(document, style, put, out);
  constexpr std::size_t around_data = 512;  // the usual size of a record beside its data
  out.reserve(out.size() + document.body.bytes().size() + around_data);
  JsonWriter json(out);
  json.begin_object();
  json.member("id", document.id);
  json.member("structureId", style.structure.id);
  json.member("collectionId", style.structure.id);
  json.member("workspaceSlug", style.workspace);
  json.member("recordSlug", style.structure.slug);
  json.name("data");
  render_data(document, put, out);
  if (const std::string_view metadata = metadata_json(document.facet); !metadata.empty()) {
    json.raw_member("metadata", metadata);
  }
  for (const OwnField& field : own_fields) field.put(document, json);
  json.end_object();
}

Bytes encode_metadata(const Value& metadata) {
  Bytes facet(metadata_mark);
  render_json(metadata, facet);
  return facet;
}

std::string_view metadata_json(BytesView facet) {
  if (!facet.starts_with(metadata_mark)) return {};
  return facet.substr(metadata_mark.size());
}

}  // namespace mayfly::centrali
