#include "dialect/centrali/render.h"

#include "dialect/centrali/records/references/expand.h"
#include "value/json/json.h"
#include "value/rfc3339.h"

namespace mayfly::centrali {
namespace {

// REACHES DISK: the prefix of this dialect's facets; JSON follows.
constexpr std::string_view metadata_mark = "centrali:";

// Writes the members of one object, with commas between them.
class Members {
 public:
  explicit Members(std::string& out) : out_(out) { out_ += '{'; }
  void close() { out_ += '}'; }

  void name(std::string_view name) {
    if (!is_first_) out_ += ',';
    is_first_ = false;
    out_ += '"';
    out_ += name;
    out_ += "\":";
  }
  void text(std::string_view name, std::string_view value) {
    this->name(name);
    render_json_text(value, out_);
  }
  void text_or_null(std::string_view name, std::string_view value) {
    if (value.empty()) return raw(name, "null");
    text(name, value);
  }
  void time(std::string_view name, Instant t) {
    this->name(name);
    out_ += '"';
    out_ += render_time(t);
    out_ += '"';
  }
  void raw(std::string_view name, std::string_view json) {
    this->name(name);
    out_ += json;
  }

 private:
  std::string& out_;
  bool is_first_ = true;
};

void put_status(const Document& document, Members& members) {
  members.text("status", document.version.is_removed() ? "archived" : "active");
}

void put_expires_at(const Document& document, Members& members) {
  if (document.death.is_never()) return members.raw("expiresAt", "null");
  members.time("expiresAt", document.death);
}

void put_version(const Document& document, Members& members) {
  members.raw("version", std::to_string(document.revision));
}

// The record's own fields that can be left out or selected.
struct OwnField {
  std::string_view name;
  void (*put)(const Document&, Members&);
};
constexpr OwnField own_fields[] = {
    {"version", put_version},
    {"status", put_status},
    {"expiresAt", put_expires_at},
    {"createdAt",
     [](const Document& d, Members& members) { members.time("createdAt", d.created_at); }},
    {"updatedAt",
     [](const Document& d, Members& members) { members.time("updatedAt", d.version.written_at); }},
    {"createdBy",
     [](const Document& d, Members& members) { members.text_or_null("createdBy", d.author); }},
    {"updatedBy",
     [](const Document& d, Members& members) { members.text_or_null("updatedBy", d.updater); }},
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
  out += '{';
  const bool has_members = document.body.render_members(out);
  put(!has_members, out);
  out += '}';
}

void render_selected(const Document& document, const RecordStyle& style, const PutMembers& put,
                     std::string& out) {
  const Selection& selection = *style.selection;
  Members members(out);
  members.text("id", document.id);
  members.name("data");
  if (selection.has_all_data) {
    render_data(document, put, out);
  } else {
    render_json(selected_data(document, selection), out);
    if (put) {
      const bool is_empty = out.ends_with("{}");
      out.pop_back();
      put(is_empty, out);
      out += '}';
    }
  }
  for (const OwnField& field : own_fields) {
    if (selects(selection, field.name)) field.put(document, members);
  }
  members.close();
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
  const auto put = [&](bool is_first, std::string& text) {
    style.expansion->render(document, is_first, text);
  };
  render_record_with(document, style, put, out);
}

void render_record_with(const Document& document, const RecordStyle& style, const PutMembers& put,
                        std::string& out) {
  if (style.selection != nullptr) return render_selected(document, style, put, out);
  constexpr std::size_t around_data = 512;  // the usual size of a record beside its data
  out.reserve(out.size() + document.body.bytes().size() + around_data);
  Members members(out);
  members.text("id", document.id);
  members.text("structureId", style.structure.id);
  members.text("collectionId", style.structure.id);
  members.text("workspaceSlug", style.workspace);
  members.text("recordSlug", style.structure.slug);
  members.name("data");
  render_data(document, put, out);
  if (const std::string_view metadata = metadata_json(document.facet); !metadata.empty()) {
    members.raw("metadata", metadata);
  }
  for (const OwnField& field : own_fields) field.put(document, members);
  members.close();
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
