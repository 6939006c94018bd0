// Values in the tagged format of the Fauna dialect: an accepted value has one written form, which
// reads back as the same value. It can be stored, or is refused with a reason. The placeholders of
// a query's body lie within its text.
#include <algorithm>
#include <set>
#include <string>

#include "dialect/fauna/values/order.h"
#include "dialect/fauna/values/stored.h"
#include "dialect/fauna/values/text/text.h"
#include "dialect/fauna/wire/formats/format.h"
#include "dialect/fauna/wire/formats/tagged.h"
#include "dialect/fauna/wire/json.h"
#include "dialect/fauna/wire/template.h"
#include "fuzz.h"
#include "value/json/json.h"

namespace mayfly::fuzz {
namespace {

using namespace fauna;

class ManyNames final : public Names {
 public:
  ModulePtr find_module(std::string_view name) const override {
    return name == "Nope" || name.starts_with('#') ? nullptr : module_of(std::string(name));
  }
  bool has_named_document(std::string_view, std::string_view name) const override {
    return name != "nope";
  }
};

void check_written(const FqlValue& value) {
  // Cursors are written as plain texts; all else keeps its type.
  const std::string text = encode_tagged(value);
  const auto json = parse_wire_json(text);
  CHECK(json.has_value());
  const auto again = decode_tagged(*json, ManyNames());
  CHECK(again.has_value());
  CHECK(encode_tagged(*again) == text);
  CHECK(encode(*again, Format::simple) == encode(value, Format::simple));
  for (const Format format : {Format::simple, Format::decorated}) {
    CHECK(parse_json(encode(value, format), {.depth_max = 1'024}).has_value());
  }
}

void check_stored(const FqlValue& value) {
  CHECK(total_order(value, value) == 0);
  const auto stored = to_stored(value);
  if (!stored) {
    CHECK(!stored.error().message.empty());
    return;
  }
  const FqlValue back = from_stored(*stored);
  CHECK(total_order(back, value) == 0);
  CHECK(display_text(back) == display_text(value));
}

void check_query(const QueryText& query) {
  std::size_t before = 0;
  std::size_t number = 0;
  for (const Placeholder& placeholder : query.placeholders) {
    CHECK(placeholder.offset >= before && placeholder.offset <= query.text.size());
    CHECK(placeholder.value == number++);
    before = placeholder.offset;
  }
  CHECK(number == query.values.size());
  CHECK(!query.bad_value || query.bad_value->offset <= query.text.size());
}

}  // namespace

void run(BytesView input) {
  if (const auto body = parse_body(input, Format::tagged, ManyNames())) check_query(body->query);
  const auto json = parse_wire_json(input);
  if (!json) {
    CHECK(!json.error().message.empty());
    return;
  }
  const auto value = decode_tagged(*json, ManyNames());
  if (!value) {
    CHECK(value.error().code == Code::invalid && !value.error().message.empty());
    return;
  }
  check_written(*value);
  check_stored(*value);
}

}  // namespace mayfly::fuzz
