#include "dialect/fauna/export/export_line.h"

#include <fmt/format.h>

#include <algorithm>

#include "dialect/fauna/documents/reading.h"
#include "dialect/fauna/documents/reserved.h"
#include "dialect/fauna/documents/writing.h"
#include "dialect/fauna/limits.h"
#include "dialect/fauna/values/text/ids.h"
#include "dialect/fauna/wire/formats/tagged.h"
#include "value/json/json.h"

namespace mayfly::fauna {
namespace {

// Whether the text is an id in the form that FQL generates.
bool is_plain_id(std::string_view text) {
  const auto number = id_number(text);
  return number && *number >= 0 && fmt::to_string(*number) == text;
}

void put_member_name(std::string_view name, std::string& out) {
  if (out.back() != '{') out += ',';
  render_json_text(name, out);
  out += ':';
}

Result<void> put_value(const FqlValue& value, std::string& out);

// Renders an object with braces, for any member names.
Result<void> put_fields(const FqlObject& object, std::string& out) {
  out += '{';
  for (const auto& [name, value] : object.members()) {
    put_member_name(name, out);
    TRY(put_value(value, out));
  }
  out += '}';
  return {};
}

Result<void> put_object_value(const FqlObject& object, std::string& out) {
  const bool needs_tag =
      std::any_of(object.members().begin(), object.members().end(),
                  [](const auto& member) { return member.first.starts_with('@'); });
  if (needs_tag) out += R"({"@object":)";
  TRY(put_fields(object, out));
  if (needs_tag) out += '}';
  return {};
}

Result<void> put_items(const FqlArray& items, std::string& out) {
  out += '[';
  for (const FqlValue& item : items) {
    if (&item != items.data()) out += ',';
    TRY(put_value(item, out));
  }
  out += ']';
  return {};
}

Result<void> put_reference(const FqlValue& value, std::string& out) {
  const DocumentHandle& to = *value.document();
  if (!to.is_named && !is_plain_id(to.id)) {
    return fail(Code::invalid,
                fmt::format("it refers to {} {}, and that id is no number", to.collection, to.id));
  }
  encode_tagged(value, out);
  return {};
}

// Recursion is bounded by the depth of stored values.
Result<void> put_value(const FqlValue& value, std::string& out) {
  switch (value.kind()) {
    case FqlKind::object: return put_object_value(value.object(), out);
    case FqlKind::array: return put_items(value.array(), out);
    case FqlKind::document: return put_reference(value, out);
    case FqlKind::id:
      out += R"({"@id":)";
      render_json_text(value.id(), out);
      out += '}';
      return {};
    default: encode_tagged(value, out); return {};
  }
}

}  // namespace

Result<std::string> export_line(std::string_view collection, const Document& document) {
  if (!is_plain_id(document.id)) return fail(Code::invalid, "its id is no number");
  if (!document.document_key().routing.empty()) return fail(Code::invalid, "it has a partition");
  FqlObject members;
  members.append("coll", FqlValue(module_of(std::string(collection))));
  members.append("ts", FqlValue(FqlTime::of(document.version.written_at)));
  if (FqlValue ttl = ttl_of(document); !ttl.is_null()) members.append("ttl", std::move(ttl));
  FqlObject hidden;
  const FqlObject fields = without_nulls(stored_fields(document));
  for (const auto& [name, value] : fields.members()) {
    (hides_field(name) ? hidden : members).append(name, value);
  }
  if (!hidden.empty()) members.append("data", FqlValue(std::move(hidden)));
  std::string line = R"({"@doc":{"id":)";
  render_json_text(document.id, line);
  for (const auto& [name, value] : members.members()) {
    put_member_name(name, line);
    TRY(put_value(value, line));
  }
  line += "}}";
  if (line.size() <= limits::exported_document_bytes_max) return line;
  return fail(Code::invalid, fmt::format("it takes more than {} bytes as text",
                                         limits::exported_document_bytes_max));
}

}  // namespace mayfly::fauna
