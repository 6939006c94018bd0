// JSON texts: an accepted text reads back as the same value and packs as that value does. It is
// accepted exactly if simdjson's own parser accepts it, apart from the bounds of numbers and depth.
#include <simdjson.h>

#include <algorithm>
#include <cmath>

#include "fuzz.h"
#include "value/json/json.h"
#include "value/order/order.h"
#include "value/packed/packed.h"

namespace mayfly::fuzz {
namespace {

// JavaScript pads the digits of great whole reals with zeros, which then read as another integer.
bool survives_the_wire(const Value& value) {
  if (value.is(Kind::real)) {
    const double d = std::fabs(value.real());
    return d <= 9007199254740992.0 || d >= 9223372036854775808.0;
  }
  if (value.is(Kind::array)) {
    return std::all_of(value.array().begin(), value.array().end(), survives_the_wire);
  }
  if (value.is(Kind::object)) {
    return std::all_of(value.object().begin(), value.object().end(),
                       [](const auto& member) { return survives_the_wire(member.second); });
  }
  return true;
}

bool has_kinds_of(const Value& a, const Value& b) {
  if (a.kind() != b.kind()) return false;
  if (a.is(Kind::array)) {
    return std::equal(a.array().begin(), a.array().end(), b.array().begin(), b.array().end(),
                      has_kinds_of);
  }
  if (!a.is(Kind::object)) return true;
  return std::equal(a.object().begin(), a.object().end(), b.object().begin(), b.object().end(),
                    [](const auto& x, const auto& y) {
                      return x.first == y.first && has_kinds_of(x.second, y.second);
                    });
}

void check_packed(BytesView text, const Value& value) {
  const auto packed = pack_json(text);
  CHECK(packed.has_value() == value.is(Kind::object));
  if (!packed) return;
  CHECK(*packed == pack(value).value());
  const Packed document(*packed);
  CHECK(document.check().has_value());
  const Value unpacked = document.unpack();
  CHECK(same(unpacked, value) && has_kinds_of(unpacked, value));
  // The wire form, which keeps reals apart from integers, reads as the document.
  std::string rendered;
  document.render(rendered);
  CHECK(pack_json(rendered).value() == *packed);
  std::string members = "{";
  CHECK(document.render_members(members) == !value.object().empty());
  CHECK(members + "}" == rendered);
}

// Held against simdjson's own second pass, which takes no integer beyond 64 bits and is bounded in
// depth as we are.
void check_by_simdjson(BytesView text, bool is_taken) {
  thread_local simdjson::dom::parser parser(input_bytes_max + 1);
  if (text.size() > input_bytes_max) return;
  const simdjson::padded_string padded(text);
  const simdjson::error_code error = parser.parse(padded).error();
  if (error == simdjson::NUMBER_ERROR) return;
  const bool is_too_deep = error == simdjson::DEPTH_ERROR;
  if (error != simdjson::SUCCESS) {
    CHECK(!is_taken || is_too_deep);
    return;
  }
  const auto deep = parse_json(text, {.depth_max = 1'024});
  CHECK(deep.has_value());
  CHECK(is_taken || parse_json(text).error().code == Code::too_large);
}

}  // namespace

void run(BytesView input) {
  const auto value = parse_json(input);
  check_by_simdjson(input, value.has_value());
  if (!value) {
    const auto packed = pack_json(input);
    CHECK(!packed && packed.error().message == value.error().message);
    return;
  }
  const std::string text = render_json(*value);
  const auto again = parse_json(text);
  CHECK(again.has_value());
  CHECK(render_json(*again) == text);
  if (survives_the_wire(*value)) CHECK(same(*again, *value));
  check_packed(input, *value);
}

}  // namespace mayfly::fuzz
