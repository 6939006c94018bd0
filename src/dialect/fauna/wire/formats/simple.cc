// Encodes the simple format.
#include "dialect/fauna/wire/formats/simple.h"

#include <cmath>

#include "base/crypto/crypto.h"
#include "dialect/fauna/values/text/literal.h"
#include "dialect/fauna/values/text/times.h"
#include "value/json/number.h"
#include "value/json/writer.h"

namespace mayfly::fauna {
namespace {

void put_plain(const FqlValue& value, JsonWriter& json);

void put_plain_members(const FqlObject& object, JsonWriter& json) {
  for (const auto& [name, value] : object.members()) put_plain(value, json.name(name));
}

void put_plain_object(const FqlObject& object, JsonWriter& json) {
  json.begin_object();
  put_plain_members(object, json);
  json.end_object();
}

void put_plain_array(const FqlArray& items, JsonWriter& json) {
  json.begin_array();
  for (const FqlValue& item : items) put_plain(item, json);
  json.end_array();
}

void put_plain_document(const ShownDocument& document, JsonWriter& json) {
  if (document.form == ShownDocument::Form::missing) return json.null();
  json.begin_object();
  json.member(document.is_named ? "name" : "id", document.id);
  json.member("coll", module_name(*document.collection));
  put_plain_members(document.fields, json);
  json.end_object();
}

void put_plain_page(const ShownPage& page, JsonWriter& json) {
  if (!page.data) return json.text(page.cursor.value_or(""));
  json.begin_object();
  put_plain_array(*page.data, json.name("data"));
  if (page.cursor) json.member("after", *page.cursor);
  json.end_object();
}

void put_plain_real(double d, JsonWriter& json) {
  if (!std::isfinite(d)) return json.text(java_text(d));
  put_stored_real(json.begin_value(), d);
}

void put_plain(const FqlValue& value, JsonWriter& json) {
  switch (value.kind()) {
    case FqlKind::null: return json.null();
    case FqlKind::boolean: return json.boolean(value.boolean());
    case FqlKind::whole: return json.integer(value.whole().number);
    case FqlKind::real: return put_plain_real(value.real(), json);
    case FqlKind::text: return json.text(value.text());
    case FqlKind::bytes: return json.text(encode_base64(value.bytes()));
    case FqlKind::time: return json.text(render_time(value.time()));
    case FqlKind::transaction_time: return json.text("[transaction time]");
    case FqlKind::date: return json.text(render_day(value.date()));
    case FqlKind::uuid: return json.text(value.uuid());
    case FqlKind::id: return json.text(value.id());
    case FqlKind::module: return json.text(module_name(*value.module()));
    case FqlKind::document: return put_plain_document(shown_reference(*value.document()), json);
    case FqlKind::set: return json.text("[set]");
    case FqlKind::function: return json.text(function_text(*value.function()));
    case FqlKind::object: return put_plain_object(value.object(), json);
    case FqlKind::array: return put_plain_array(value.array(), json);
    case FqlKind::set_cursor: return json.text(value.set_cursor());
    case FqlKind::event_source: return json.text(value.event_source());
    case FqlKind::shown_document: return put_plain_document(value.shown_document(), json);
    case FqlKind::shown_page: return put_plain_page(value.shown_page(), json);
  }
}

}  // namespace

void encode_simple(const FqlValue& value, std::string& out) {
  JsonWriter json(out);
  put_plain(value, json);
}

std::string encode_simple(const FqlValue& value) {
  std::string out;
  encode_simple(value, out);
  return out;
}

}  // namespace mayfly::fauna
