#include "dialect/fauna/export/export_line.h"

#include <fmt/format.h>

#include <algorithm>

#include "dialect/fauna/documents/reading.h"
#include "dialect/fauna/documents/reserved.h"
#include "dialect/fauna/documents/writing.h"
#include "dialect/fauna/limits.h"
#include "dialect/fauna/values/text/ids.h"
#include "dialect/fauna/wire/formats/tagged.h"
#include "value/json/writer.h"

namespace mayfly::fauna {
namespace {

// Whether the text is an id in the form that FQL generates.
bool is_plain_id(std::string_view text) {
  const auto number = id_number(text);
  return number && *number >= 0 && fmt::to_string(*number) == text;
}

Result<void> put_value(const FqlValue& value, JsonWriter& json);

// The members between the braces, of any names.
Result<void> put_fields(const FqlObject& object, JsonWriter& json) {
  for (const auto& [name, value] : object.members()) TRY(put_value(value, json.name(name)));
  return {};
}

Result<void> put_object_value(const FqlObject& object, JsonWriter& json) {
  const bool needs_tag =
      std::any_of(object.members().begin(), object.members().end(),
                  [](const auto& member) { return member.first.starts_with('@'); });
  json.begin_object();
  if (needs_tag) json.name("@object").begin_object();
  TRY(put_fields(object, json));
  if (needs_tag) json.end_object();
  json.end_object();
  return {};
}

Result<void> put_items(const FqlArray& items, JsonWriter& json) {
  json.begin_array();
  for (const FqlValue& item : items) TRY(put_value(item, json));
  json.end_array();
  return {};
}

Result<void> put_reference(const FqlValue& value, JsonWriter& json) {
  const DocumentHandle& to = *value.document();
  if (!to.is_named && !is_plain_id(to.id)) {
    return fail(Code::invalid,
                fmt::format("it refers to {} {}, and that id is no number", to.collection, to.id));
  }
  encode_tagged(value, json.begin_value());
  return {};
}

Result<void> put_id(std::string_view id, JsonWriter& json) {
  json.begin_object();
  json.member("@id", id);
  json.end_object();
  return {};
}

// Recursion is bounded by the depth of stored values.
Result<void> put_value(const FqlValue& value, JsonWriter& json) {
  switch (value.kind()) {
    case FqlKind::object: return put_object_value(value.object(), json);
    case FqlKind::array: return put_items(value.array(), json);
    case FqlKind::document: return put_reference(value, json);
    case FqlKind::id: return put_id(value.id(), json);
    default: encode_tagged(value, json.begin_value()); return {};
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
  std::string line;
  JsonWriter json(line);
  json.begin_object();
  json.name("@doc").begin_object();
  json.member("id", document.id);
  TRY(put_fields(members, json));
  json.end_object();
  json.end_object();
  if (line.size() <= limits::exported_document_bytes_max) return line;
  return fail(Code::invalid, fmt::format("it takes more than {} bytes as text",
                                         limits::exported_document_bytes_max));
}

}  // namespace mayfly::fauna
