#include "value/json/writer.h"

#include <array>
#include <charconv>
#include <limits>

#include "value/json/json.h"
#include "value/json/number.h"
#include "value/rfc3339.h"

namespace mayfly {
namespace {

// A text ends with its quote, so these bytes can only be JSON's own, or end a line or field of what
// surrounds it.
constexpr std::string_view before_a_first_value = "{[:,\n ";

}  // namespace

std::string& JsonWriter::begin_value() {
  const bool is_first =
      out_.empty() || before_a_first_value.find(out_.back()) != std::string_view::npos;
  if (!is_first) out_ += ',';
  return out_;
}

JsonWriter& JsonWriter::name(std::string_view name) {
  render_json_text(name, begin_value());
  out_ += ':';
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
