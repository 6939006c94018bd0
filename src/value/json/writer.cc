#include "value/json/writer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "value/json/json.h"
#include "value/json/number.h"
#include "value/rfc3339.h"

namespace mayfly {
namespace {

// Whether a name needs no escapes: almost every one does not.
bool is_plain(std::string_view name) {
  return std::ranges::all_of(
      name, [](char c) { return static_cast<unsigned char>(c) >= ' ' && c != '"' && c != '\\'; });
}

}  // namespace

// A text ends with its quote, so these bytes can only be JSON's own, or end a line or field of what
// surrounds it.
std::string& JsonWriter::begin_value() {
  if (out_.empty()) return out_;
  switch (out_.back()) {
    case '{':
    case '[':
    case ':':
    case ',':
    case '\n':
    case ' ': return out_;
    default: return out_ += ',';
  }
}

JsonWriter& JsonWriter::name(std::string_view name) {
  std::string& out = begin_value();
  if (is_plain(name)) {
    out += '"';
    out.append(name).append("\":");
  } else {
    render_json_text(name, out);
    out += ':';
  }
  return *this;
}

void JsonWriter::text(std::string_view text) {
  render_json_text(text, begin_value());
}

void JsonWriter::integer(std::int64_t number) {
  put_integer(begin_value(), number);
}

void JsonWriter::integer(std::uint64_t number) {
  std::array<char, std::numeric_limits<std::uint64_t>::digits10 + 1> digits;
  const auto end = std::to_chars(digits.begin(), digits.end(), number).ptr;
  begin_value().append(digits.begin(), end);
}

void JsonWriter::value(const Value& value) {
  render_json(value, begin_value());
}

void JsonWriter::text_or_null(std::string_view name, std::string_view text) {
  this->name(name);
  if (text.empty()) return null();
  this->text(text);
}

void JsonWriter::time_or_null(std::string_view name, Instant time) {
  this->name(name);
  if (time.is_never()) return null();
  begin_value() += '"';
  append_rfc3339(time, out_);
  out_ += '"';
}

void JsonWriter::members(const Object& members) {
  for (const auto& [name, value] : members) {
    if (!value.is_missing()) member(name, value);
  }
}

}  // namespace mayfly
