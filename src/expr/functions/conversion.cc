// Converts values of one kind to another.
#include <charconv>
#include <cmath>

#include "base/crypto/crypto.h"
#include "expr/functions/families.h"
#include "value/json/json.h"
#include "value/rfc3339.h"

namespace mayfly {
namespace {

Result<Value> to_text(const Arguments& a) {
  switch (a[0].kind()) {
    case Kind::missing: return Value();
    case Kind::text: return a[0];
    case Kind::time: return Value(render_rfc3339(a[0].time()));
    case Kind::date: return Value(render_date(a[0].date()));
    case Kind::real:
      if (std::isnan(a[0].real())) return Value("NaN");
      if (std::isinf(a[0].real())) return Value(a[0].real() > 0 ? "Infinity" : "-Infinity");
      break;
    case Kind::binary: {
      const std::string quoted = render_json(a[0]);
      return Value(quoted.substr(1, quoted.size() - 2));
    }
    default: break;
  }
  std::string text = render_json(a[0]);
  TRY(check_text_size(text.size()));
  return Value(std::move(text));
}

// The text parsed as JSON of any kind; missing if it is invalid.
Value parsed(const Value& text) {
  if (!text.is(Kind::text)) return Value();
  Result<Value> value = parse_json(text.text(), {.bytes_max = limits::document_bytes_max});
  return value ? *std::move(value) : Value();
}

Result<Value> to_number(const Arguments& a) {
  if (a[0].is_number()) return a[0];
  Value value = parsed(a[0]);
  return value.is_number() ? value : Value();
}

Result<Value> to_integer(const Arguments& a) {
  Value value = a[0].is_number() ? a[0] : parsed(a[0]);
  if (value.is(Kind::integer)) return value;
  if (!value.is(Kind::real)) return Value();
  const double whole = std::trunc(value.real());
  return std::abs(whole) < 0x1p63 ? Value(static_cast<std::int64_t>(whole)) : Value();
}

Result<Value> to_boolean(const Arguments& a) {
  if (a[0].is(Kind::boolean)) return a[0];
  Value value = parsed(a[0]);
  return value.is(Kind::boolean) ? value : Value();
}

Result<Value> from_json(const Arguments& a) {
  return parsed(a[0]);
}

// The text parsed as JSON, if the result is of this kind.
template <Kind kind>
Result<Value> text_to(const Arguments& a) {
  Value value = parsed(a[0]);
  return value.is(kind) ? value : Value();
}

Result<Value> text_to_number(const Arguments& a) {
  Value value = parsed(a[0]);
  return value.is_number() ? value : Value();
}

// The reference; null if it does not refer to the collection.
const Reference* referring_to(const Value& value, const Value& collection) {
  const bool is_one = value.is(Kind::reference) && collection.is(Kind::text) &&
                      value.reference().collection == collection.text();
  return is_one ? &value.reference() : nullptr;
}

Result<Value> referred_id(const Arguments& a) {
  const Reference* const reference = referring_to(a[0], a[1]);
  return reference ? Value(reference->id) : Value();
}

Result<Value> referred_number(const Arguments& a) {
  const Reference* const reference = referring_to(a[0], a[1]);
  if (reference == nullptr) return Value();
  std::int64_t number = 0;
  const char* const end = reference->id.data() + reference->id.size();
  const auto read = std::from_chars(reference->id.data(), end, number);
  return read.ec == std::errc() && read.ptr == end ? Value(number) : Value();
}

// Missing if there are fewer bytes. At most seven bytes, so that no number is negative.
Result<Value> little_endian_in_base64(const Arguments& a) {
  const auto from = whole_number(a[1]);
  const auto count = whole_number(a[2]);
  if (!a[0].is(Kind::text) || !from || !count) return Value();
  if (*from < 0 || *count < 1 || *count > 7) return Value();
  const Result<Bytes> bytes = decode_base64(a[0].text());
  if (!bytes) return Value();
  const auto size = static_cast<std::int64_t>(bytes->size());
  if (*from > size - *count) return Value();
  std::int64_t number = 0;
  for (std::int64_t i = *count - 1; i >= 0; --i) {
    const auto at = static_cast<std::size_t>(*from + i);
    number = number * 256 + static_cast<unsigned char>((*bytes)[at]);
  }
  return number;
}

}  // namespace

std::span<const Function> conversion_functions() {
  static const Function table[] = {
      finite(unary("to_text", "The value as text; arrays and objects as JSON.", to_text,
                   {{R"("a")", R"("a")"},
                    {"1.5", R"("1.5")"},
                    {"null", R"("null")"},
                    {"[1,true]", R"("[1,true]")"},
                    {"infinity", R"("Infinity")"},
                    {R"(time("2026-01-01T00:00:00Z"))", R"("2026-01-01T00:00:00Z")"},
                    {R"(binary("AAE="))", R"("AAE=")"},
                    {"missing", "missing"}})),
      unary("to_number", "The number that a text says in JSON.", to_number,
            {{R"(" 1.5 ")", "1.5"}, {"2", "2"}, {R"("x")", "missing"}, {"true", "missing"}}),
      unary("to_integer", "The same without a fraction, within 64 bits.", to_integer,
            {{R"("17")", "17"}, {"-1.9", "-1"}, {"1e300", "missing"}}),
      unary("to_boolean", "The truth that a text says in JSON.", to_boolean,
            {{R"("true")", "true"}, {"false", "false"}, {R"("yes")", "missing"}}),
      unary("from_json", "The value that a text is in JSON.", from_json,
            {{R"("[1,2]")", "[1,2]"}, {R"("{")", "missing"}}),
      unary("text_to_number", "The number that a text is in JSON, and only of a text.",
            text_to_number,
            {{R"("  1.5e2 ")", "150"},
             {R"("-1")", "-1"},
             {"2", "missing"},
             {R"("x1")", "missing"},
             {R"("")", "missing"},
             {R"("true")", "missing"}}),
      unary("text_to_boolean", "The truth that a text is in JSON, and only of a text.",
            text_to<Kind::boolean>,
            {{R"(" true ")", "true"},
             {R"("false")", "false"},
             {R"("TRUE")", "missing"},
             {"true", "missing"}}),
      unary("text_to_null", "Null of a text that is null in JSON.", text_to<Kind::null>,
            {{R"(" null ")", "null"}, {R"("NULL")", "missing"}, {"null", "missing"}}),
      unary("text_to_array", "The array that a text is in JSON.", text_to<Kind::array>,
            {{R"(" [1,[2]] ")", "[1,[2]]"},
             {R"("['a']")", "missing"},
             {R"("{}")", "missing"},
             {"[1]", "missing"}}),
      unary("text_to_object", "The object that a text is in JSON.", text_to<Kind::object>,
            {{R"("{\"a\":[1]}")", R"({"a":[1]})"},
             {R"("{'a':1}")", "missing"},
             {R"("[]")", "missing"}}),
      binary("referred_id", "The id in a reference to that collection.", referred_id,
             {{R"(reference("orders", "17"), "orders")", R"("17")"},
              {R"(reference("orders", "17"), "users")", "missing"},
              {R"("17", "orders")", "missing"}}),
      binary("referred_number", "The whole number that this id writes, within 64 bits.",
             referred_number,
             {{R"(reference("orders", "17"), "orders")", "17"},
              {R"(reference("orders", "1e3"), "orders")", "missing"},
              {R"(reference("orders", "17"), "users")", "missing"}}),
      n_ary("little_endian_in_base64", 3, 3,
            "The whole number that so many bytes of a text in base64 are, the lowest first; from "
            "a byte on, and at most 7.",
            little_endian_in_base64,
            {{R"("AQIDBA==", 1, 2)", "770"},
             {R"("AQIDBA==", 3, 2)", "missing"},
             {R"("AQIDBA==", 0, 8)", "missing"},
             {R"("?", 0, 1)", "missing"},
             {"1, 0, 1", "missing"}}),
  };
  return table;
}

}  // namespace mayfly
