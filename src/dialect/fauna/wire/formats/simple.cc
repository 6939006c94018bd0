// Encodes the simple format.
#include "dialect/fauna/wire/formats/simple.h"

#include <cmath>

#include "base/crypto/crypto.h"
#include "dialect/fauna/values/text/literal.h"
#include "dialect/fauna/values/text/times.h"
#include "value/json/json.h"
#include "value/json/number.h"

namespace mayfly::fauna {
namespace {

void put_plain_name(std::string_view name, std::string& out) {
  if (out.back() != '{') out += ',';
  render_json_text(name, out);
  out += ':';
}

void put_plain_members(const FqlObject& object, std::string& out) {
  for (const auto& [name, value] : object.members()) {
    put_plain_name(name, out);
    encode_simple(value, out);
  }
}

void put_plain_object(const FqlObject& object, std::string& out) {
  out += '{';
  put_plain_members(object, out);
  out += '}';
}

void put_plain_array(const FqlArray& items, std::string& out) {
  out += '[';
  for (const FqlValue& item : items) {
    if (&item != items.data()) out += ',';
    encode_simple(item, out);
  }
  out += ']';
}

void put_plain_document(const ShownDocument& document, std::string& out) {
  if (document.form == ShownDocument::Form::missing) {
    out += "null";
    return;
  }
  out += '{';
  put_plain_name(document.is_named ? "name" : "id", out);
  render_json_text(document.id, out);
  put_plain_name("coll", out);
  render_json_text(module_name(*document.collection), out);
  put_plain_members(document.fields, out);
  out += '}';
}

void put_plain_page(const ShownPage& page, std::string& out) {
  if (!page.data) {
    render_json_text(page.cursor.value_or(""), out);
    return;
  }
  out += R"({"data":)";
  put_plain_array(*page.data, out);
  if (page.cursor) {
    put_plain_name("after", out);
    render_json_text(*page.cursor, out);
  }
  out += '}';
}

void put_plain_real(double d, std::string& out) {
  if (std::isfinite(d)) {
    put_stored_real(out, d);
  } else {
    render_json_text(java_text(d), out);
  }
}

}  // namespace

void encode_simple(const FqlValue& value, std::string& out) {
  switch (value.kind()) {
    case FqlKind::null: out += "null"; return;
    case FqlKind::boolean: out += value.boolean() ? "true" : "false"; return;
    case FqlKind::whole: put_integer(out, value.whole().number); return;
    case FqlKind::real: put_plain_real(value.real(), out); return;
    case FqlKind::text: render_json_text(value.text(), out); return;
    case FqlKind::bytes: render_json_text(encode_base64(value.bytes()), out); return;
    case FqlKind::time: render_json_text(render_time(value.time()), out); return;
    case FqlKind::transaction_time: render_json_text("[transaction time]", out); return;
    case FqlKind::date: render_json_text(render_day(value.date()), out); return;
    case FqlKind::uuid: render_json_text(value.uuid(), out); return;
    case FqlKind::id: render_json_text(value.id(), out); return;
    case FqlKind::module: render_json_text(module_name(*value.module()), out); return;
    case FqlKind::document: put_plain_document(shown_reference(*value.document()), out); return;
    case FqlKind::set: render_json_text("[set]", out); return;
    case FqlKind::function: render_json_text(function_text(*value.function()), out); return;
    case FqlKind::object: put_plain_object(value.object(), out); return;
    case FqlKind::array: put_plain_array(value.array(), out); return;
    case FqlKind::set_cursor: render_json_text(value.set_cursor(), out); return;
    case FqlKind::event_source: render_json_text(value.event_source(), out); return;
    case FqlKind::shown_document: put_plain_document(value.shown_document(), out); return;
    case FqlKind::shown_page: put_plain_page(value.shown_page(), out); return;
  }
}

std::string encode_simple(const FqlValue& value) {
  std::string out;
  encode_simple(value, out);
  return out;
}

}  // namespace mayfly::fauna
