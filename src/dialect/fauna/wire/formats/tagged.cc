// Encodes the tagged format.
#include "dialect/fauna/wire/formats/tagged.h"

#include <algorithm>

#include "base/crypto/crypto.h"
#include "dialect/fauna/values/text/literal.h"
#include "dialect/fauna/values/text/times.h"
#include "value/json/json.h"
#include "value/json/number.h"

namespace mayfly::fauna {
namespace {

void put_tag(std::string_view tag, std::string_view text, std::string& out) {
  out.append(R"({")").append(tag).append(R"(":)");
  render_json_text(text, out);
  out += '}';
}

void put_name(std::string_view name, std::string& out) {
  if (out.back() != '{') out += ',';
  render_json_text(name, out);
  out += ':';
}

void put_module(const Module& module, std::string& out) {
  put_tag("@mod", module_name(module), out);
}

// Writes the members between the braces.
void put_members(const FqlObject& object, std::string& out) {
  for (const auto& [name, value] : object.members()) {
    put_name(name, out);
    encode_tagged(value, out);
  }
}

void put_object(const FqlObject& object, std::string& out) {
  const bool needs_tag =
      std::any_of(object.members().begin(), object.members().end(),
                  [](const auto& member) { return member.first.starts_with('@'); });
  out += needs_tag ? R"({"@object":{)" : "{";
  put_members(object, out);
  out += needs_tag ? "}}" : "}";
}

void put_array(const FqlArray& items, std::string& out) {
  out += '[';
  for (const FqlValue& item : items) {
    if (&item != items.data()) out += ',';
    encode_tagged(item, out);
  }
  out += ']';
}

void put_document(const ShownDocument& document, std::string& out) {
  using Form = ShownDocument::Form;
  out += document.form == Form::whole ? R"({"@doc":{)" : R"({"@ref":{)";
  put_name(document.is_named ? "name" : "id", out);
  render_json_text(document.id, out);
  put_name("coll", out);
  put_module(*document.collection, out);
  put_members(document.fields, out);
  if (document.form == Form::missing) {
    out += R"(,"exists":false)";
    put_name("cause", out);
    render_json_text(document.cause, out);
  }
  out += "}}";
}

void put_page(const ShownPage& page, std::string& out) {
  out += R"({"@set":)";
  if (page.data) {
    out += R"({"data":)";
    put_array(*page.data, out);
    if (page.cursor) {
      out += R"(,"after":)";
      render_json_text(*page.cursor, out);
    }
    out += '}';
  } else {
    render_json_text(page.cursor.value_or(""), out);
  }
  out += '}';
}

void put_whole(const Whole& n, std::string& out) {
  out += n.is_long ? R"({"@long":")" : R"({"@int":")";
  put_integer(out, n.number);
  out += R"("})";
}

}  // namespace

void encode_tagged(const FqlValue& value, std::string& out) {
  switch (value.kind()) {
    case FqlKind::null: out += "null"; return;
    case FqlKind::boolean: out += value.boolean() ? "true" : "false"; return;
    case FqlKind::whole: put_whole(value.whole(), out); return;
    case FqlKind::real: put_tag("@double", java_text(value.real()), out); return;
    case FqlKind::text: render_json_text(value.text(), out); return;
    case FqlKind::bytes: put_tag("@bytes", encode_base64(value.bytes()), out); return;
    case FqlKind::time: put_tag("@time", render_time(value.time()), out); return;
    case FqlKind::transaction_time: render_json_text("[transaction time]", out); return;
    case FqlKind::date: put_tag("@date", render_day(value.date()), out); return;
    case FqlKind::uuid: put_tag("@uuid", value.uuid(), out); return;
    case FqlKind::id: render_json_text(value.id(), out); return;
    case FqlKind::module: put_module(*value.module(), out); return;
    case FqlKind::document: put_document(shown_reference(*value.document()), out); return;
    case FqlKind::set: render_json_text("[set]", out); return;
    case FqlKind::function: render_json_text(function_text(*value.function()), out); return;
    case FqlKind::object: put_object(value.object(), out); return;
    case FqlKind::array: put_array(value.array(), out); return;
    case FqlKind::set_cursor: render_json_text(value.set_cursor(), out); return;
    case FqlKind::event_source: put_tag("@stream", value.event_source(), out); return;
    case FqlKind::shown_document: put_document(value.shown_document(), out); return;
    case FqlKind::shown_page: put_page(value.shown_page(), out); return;
  }
}

std::string encode_tagged(const FqlValue& value) {
  std::string out;
  encode_tagged(value, out);
  return out;
}

}  // namespace mayfly::fauna
