#include "script/process/message.h"

#include <bit>
#include <cmath>

#include "base/cut_text.h"
#include "script/limits.h"
#include "value/json/json.h"
#include "value/json/tokens.h"

namespace mayfly::script {
namespace {

constexpr double whole_number_max = 9'007'199'254'740'991;  // 2^53 - 1

Value number_of(double number) {
  if (!std::isfinite(number)) return Value(nullptr);
  const bool is_whole = std::trunc(number) == number && std::abs(number) <= whole_number_max;
  return is_whole ? Value(static_cast<std::int64_t>(number)) : Value(number);
}

// Makes the reader fail.
void refuse(Reader& in) {
  in.take(in.rest().size() + 1);
}

}  // namespace

void put_encoded_value(Bytes& out, const EncodedValue& encoded) {
  out += static_cast<char>(encoded.kind);
  switch (encoded.kind) {
    case EncodedValue::Kind::undefined: break;
    case EncodedValue::Kind::number:
      put_u64(out, std::bit_cast<std::uint64_t>(encoded.number));
      break;
    case EncodedValue::Kind::text:
    case EncodedValue::Kind::json: put_text(out, encoded.text); break;
  }
}

void put_value(Bytes& out, const Value& value) {
  switch (value.kind()) {
    case Kind::missing: return put_encoded_value(out, {});
    case Kind::integer:
      return put_encoded_value(out, {.kind = EncodedValue::Kind::number,
                                     .number = static_cast<double>(value.integer())});
    case Kind::real:
      return put_encoded_value(out, {.kind = EncodedValue::Kind::number, .number = value.real()});
    case Kind::text:
      return put_encoded_value(out, {.kind = EncodedValue::Kind::text, .text = value.text()});
    default:
      return put_encoded_value(out, {.kind = EncodedValue::Kind::json, .text = render_json(value)});
  }
}

void put_values(Bytes& out, std::span<const Value> values) {
  put_varint(out, values.size());
  for (const Value& value : values) put_value(out, value);
}

EncodedValue take_encoded_value(Reader& in) {
  EncodedValue encoded{.kind = static_cast<EncodedValue::Kind>(in.u8())};
  switch (encoded.kind) {
    case EncodedValue::Kind::undefined: break;
    case EncodedValue::Kind::number: encoded.number = std::bit_cast<double>(in.u64()); break;
    case EncodedValue::Kind::text:
    case EncodedValue::Kind::json: encoded.text = in.text(); break;
    default: refuse(in);
  }
  return encoded;
}

std::vector<EncodedValue> take_encoded_values(Reader& in) {
  std::vector<EncodedValue> all;
  auto left = in.varint();
  if (left > limits::script_values_max) refuse(in);
  for (; left > 0 && in.ok(); --left) all.push_back(take_encoded_value(in));
  return all;
}

Result<Value> value_of(const EncodedValue& encoded) {
  switch (encoded.kind) {
    case EncodedValue::Kind::number: return number_of(encoded.number);
    case EncodedValue::Kind::text:
      if (!is_utf8(encoded.text)) return fail(Code::invalid, "A script gives a text that is none.");
      return Value(encoded.text);
    case EncodedValue::Kind::json:
      return parse_json(encoded.text, {.bytes_max = limits::script_message_bytes_max});
    default: return Value();
  }
}

void put_failure(Bytes& out, const Error& error) {
  out += static_cast<char>(error.code == Code::too_large);
  put_text(out, error.message);
}

Error take_failure(Reader& in) {
  const bool is_too_large = in.u8() != 0;
  const std::string_view message = truncate_utf8(in.text(), 3 * limits::script_error_bytes_max);
  return {is_too_large ? Code::too_large : Code::invalid,
          is_utf8(message) ? std::string(message) : "The script failed."};
}

}  // namespace mayfly::script
