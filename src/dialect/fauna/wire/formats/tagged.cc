// Encodes the tagged format.
#include "dialect/fauna/wire/formats/tagged.h"

#include <algorithm>

#include "base/crypto/crypto.h"
#include "dialect/fauna/values/text/literal.h"
#include "dialect/fauna/values/text/times.h"
#include "value/json/number.h"
#include "value/json/writer.h"

namespace mayfly::fauna {
namespace {

void put_tagged(const FqlValue& value, JsonWriter& json);

void put_tag(std::string_view tag, std::string_view text, JsonWriter& json) {
  json.begin_object();
  json.member(tag, text);
  json.end_object();
}

void put_members(const FqlObject& object, JsonWriter& json) {
  for (const auto& [name, value] : object.members()) put_tagged(value, json.name(name));
}

void put_object(const FqlObject& object, JsonWriter& json) {
  const bool needs_tag =
      std::any_of(object.members().begin(), object.members().end(),
                  [](const auto& member) { return member.first.starts_with('@'); });
  json.begin_object();
  if (needs_tag) json.name("@object").begin_object();
  put_members(object, json);
  if (needs_tag) json.end_object();
  json.end_object();
}

void put_array(const FqlArray& items, JsonWriter& json) {
  json.begin_array();
  for (const FqlValue& item : items) put_tagged(item, json);
  json.end_array();
}

void put_document(const ShownDocument& document, JsonWriter& json) {
  using Form = ShownDocument::Form;
  json.begin_object();
  json.name(document.form == Form::whole ? "@doc" : "@ref").begin_object();
  json.member(document.is_named ? "name" : "id", document.id);
  put_tag("@mod", module_name(*document.collection), json.name("coll"));
  put_members(document.fields, json);
  if (document.form == Form::missing) {
    json.member("exists", false);
    json.member("cause", document.cause);
  }
  json.end_object();
  json.end_object();
}

void put_page(const ShownPage& page, JsonWriter& json) {
  if (!page.data) return put_tag("@set", page.cursor.value_or(""), json);
  json.begin_object();
  json.name("@set").begin_object();
  put_array(*page.data, json.name("data"));
  if (page.cursor) json.member("after", *page.cursor);
  json.end_object();
  json.end_object();
}

// Without a text of the number: there may be many.
void put_whole(const Whole& n, JsonWriter& json) {
  json.begin_object();
  std::string& out = json.name(n.is_long ? "@long" : "@int").begin_value();
  out += '"';
  put_integer(out, n.number);
  out += '"';
  json.end_object();
}

void put_tagged(const FqlValue& value, JsonWriter& json) {
  switch (value.kind()) {
    case FqlKind::null: return json.null();
    case FqlKind::boolean: return json.boolean(value.boolean());
    case FqlKind::whole: return put_whole(value.whole(), json);
    case FqlKind::real: return put_tag("@double", java_text(value.real()), json);
    case FqlKind::text: return json.text(value.text());
    case FqlKind::bytes: return put_tag("@bytes", encode_base64(value.bytes()), json);
    case FqlKind::time: return put_tag("@time", render_time(value.time()), json);
    case FqlKind::transaction_time: return json.text("[transaction time]");
    case FqlKind::date: return put_tag("@date", render_day(value.date()), json);
    case FqlKind::uuid: return put_tag("@uuid", value.uuid(), json);
    case FqlKind::id: return json.text(value.id());
    case FqlKind::module: return put_tag("@mod", module_name(*value.module()), json);
    case FqlKind::document: return put_document(shown_reference(*value.document()), json);
    case FqlKind::set: return json.text("[set]");
    case FqlKind::function: return json.text(function_text(*value.function()));
    case FqlKind::object: return put_object(value.object(), json);
    case FqlKind::array: return put_array(value.array(), json);
    case FqlKind::set_cursor: return json.text(value.set_cursor());
    case FqlKind::event_source: return put_tag("@stream", value.event_source(), json);
    case FqlKind::shown_document: return put_document(value.shown_document(), json);
    case FqlKind::shown_page: return put_page(value.shown_page(), json);
  }
}

}  // namespace

void encode_tagged(const FqlValue& value, std::string& out) {
  JsonWriter json(out);
  put_tagged(value, json);
}

std::string encode_tagged(const FqlValue& value) {
  std::string out;
  encode_tagged(value, out);
  return out;
}

}  // namespace mayfly::fauna
