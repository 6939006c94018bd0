// Renders values as FQL.
#include "dialect/fauna/values/text/literal.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/crypto/crypto.h"
#include "dialect/fauna/run/functions/callable.h"
#include "dialect/fauna/values/text/times.h"

namespace mayfly::fauna {
namespace {

// The letter after the backslash; 0 if the character needs no escape.
char fql_escape(char c) {
  switch (c) {
    case '\\':
    case '\'':
    case '"':
    case '`':
    case '#': return c;
    case '\0': return '0';
    case '\n': return 'n';
    case '\r': return 'r';
    case '\v': return 'v';
    case '\t': return 't';
    case '\b': return 'b';
    case '\f': return 'f';
    default: return '\0';
  }
}

bool is_ascii_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_bare_key(std::string_view name) {
  return !name.empty() && is_ascii_letter(name[0]) &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return is_ascii_letter(c) || (c >= '0' && c <= '9') || c == '_';
         });
}

std::string real_literal(double d) {
  if (std::isnan(d)) return "Math.NaN";
  if (std::isinf(d)) return d < 0 ? "-Math.Infinity" : "Math.Infinity";
  return java_text(d);
}

// Both use the shortest digits that parse to the same double.
std::string shortest_text(double d, std::chars_format format) {
  char text[40];
  return {text, std::to_chars(text, text + sizeof text, d, format).ptr};
}

}  // namespace

void append_quoted(std::string_view text, std::string& out) {
  out += '"';
  for (const char c : text) {
    const char escape = fql_escape(c);
    if (escape != '\0') out += '\\';
    out += escape != '\0' ? escape : c;
  }
  out += '"';
}

void append_key(std::string_view name, std::string& out) {
  if (is_bare_key(name)) {
    out += name;
  } else {
    append_quoted(name, out);
  }
}

void append_literal(const FqlValue& scalar, std::string& out) {
  switch (scalar.kind()) {
    case FqlKind::null: out += "null"; return;
    case FqlKind::boolean: out += scalar.boolean() ? "true" : "false"; return;
    case FqlKind::whole: out += fmt::to_string(scalar.whole().number); return;
    case FqlKind::real: out += real_literal(scalar.real()); return;
    case FqlKind::text: append_quoted(scalar.text(), out); return;
    case FqlKind::bytes: out += fmt::format("Bytes(\"{}\")", encode_base64(scalar.bytes())); return;
    case FqlKind::time: out += fmt::format("Time(\"{}\")", render_time(scalar.time())); return;
    case FqlKind::transaction_time: out += "TransactionTime()"; return;
    case FqlKind::date: out += fmt::format("Date(\"{}\")", render_day(scalar.date())); return;
    case FqlKind::uuid: out += fmt::format("UUID(\"{}\")", scalar.uuid()); return;
    case FqlKind::module: out += module_name(*scalar.module()); return;
    case FqlKind::id:
      out += "ID(";
      append_quoted(scalar.id(), out);
      out += ')';
      return;
    default: return;
  }
}

std::string java_text(double d) {
  if (std::isnan(d)) return "NaN";
  if (std::isinf(d)) return d < 0 ? "-Infinity" : "Infinity";
  const double size = std::fabs(d);
  if (size == 0 || (size >= 1e-3 && size < 1e7)) {
    std::string text = shortest_text(d, std::chars_format::fixed);
    return text.find('.') == std::string::npos ? text + ".0" : text;
  }
  const std::string text = shortest_text(d, std::chars_format::scientific);
  const std::size_t exponent_at = text.find('e');
  const std::string digits = text.substr(0, exponent_at);
  int exponent = 0;
  const std::size_t from = exponent_at + (text[exponent_at + 1] == '+' ? 2 : 1);
  std::from_chars(text.data() + from, text.data() + text.size(), exponent);
  return fmt::format("{}{}E{}", digits, digits.find('.') == std::string::npos ? ".0" : "",
                     exponent);
}

std::string_view module_name(const Module& module) {
  return module.is_deleted ? std::string_view("Deleted") : module.name;
}

std::string function_text(const Callable& function) {
  return fmt::format("[function {}]", function.name());
}

std::string reference_text(const ShownDocument& document) {
  std::string text(module_name(*document.collection));
  text += document.is_named ? ".byName(" : "(";
  append_quoted(document.id, text);
  text += ')';
  if (document.form == ShownDocument::Form::missing) text += " /* " + document.cause + " */";
  return text;
}

ShownDocument shown_reference(const DocumentHandle& handle) {
  return {.form = ShownDocument::Form::reference,
          .collection = module_of(handle.collection),
          .id = handle.id,
          .is_named = handle.is_named};
}

FqlObject object_of(const ShownDocument& document) {
  FqlObject object;
  if (document.is_named) {
    object.append("name", document.id);
  } else {
    object.append("id", Id{document.id});
  }
  object.append("coll", document.collection);
  for (const auto& [name, value] : document.fields.members()) object.append(name, value);
  return object;
}

FqlObject object_of(const ShownPage& page) {
  FqlObject object;
  if (page.data) object.append("data", *page.data);
  if (page.cursor) object.append("after", *page.cursor);
  return object;
}

}  // namespace mayfly::fauna
