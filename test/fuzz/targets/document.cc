// Documents with values of every kind: packed, looked up by every path, rendered and unpacked
// without a change.
#include "fuzz.h"
#include "value/json/json.h"
#include "value/order/order.h"
#include "value/packed/packed.h"
#include "values.h"

namespace mayfly::fuzz {
namespace {

// Every place in a value, and what lies there, found through the packed bytes too.
void check_places(const Packed& document, const Value& value, Path& path) {
  const Value found = document.at(path);
  CHECK(found.kind() == value.kind() && same(found, value));
  if (value.is(Kind::array)) {
    const Array& items = value.array();
    for (std::size_t i = 0; i < items.size(); ++i) {
      path.steps.emplace_back(i);
      // An array keeps the place of an item that is missing; null lies there.
      check_places(document, items[i].is_missing() ? Value(nullptr) : items[i], path);
      path.steps.pop_back();
    }
    path.steps.emplace_back(items.size());
    CHECK(document.at(path).is_missing());
    path.steps.pop_back();
  }
  if (!value.is(Kind::object)) return;
  for (const auto& [name, member] : value.object()) {
    path.steps.emplace_back(name);
    check_places(document, member, path);
    path.steps.pop_back();
  }
}

// The value with null in the place of an item that is missing, as it lies in the store.
Value as_stored(const Value& value) {
  if (value.is(Kind::array)) {
    Array items;
    for (const Value& item : value.array()) {
      items.push_back(item.is_missing() ? Value(nullptr) : as_stored(item));
    }
    return items;
  }
  if (!value.is(Kind::object)) return value;
  Object members;
  for (const auto& [name, member] : value.object()) {
    if (!member.is_missing()) members.append(name, as_stored(member));
  }
  return members;
}

}  // namespace

void run(BytesView input) {
  Reader in(input);
  const Value value = take_object(in, value_depth_max);
  const auto packed = pack(value);
  CHECK(packed.has_value());
  const Packed document(*packed);
  CHECK(document.check().has_value());
  const Value stored = as_stored(value);
  const Value unpacked = document.unpack();
  CHECK(same(unpacked, stored));
  CHECK(pack(unpacked).value() == *packed);
  Path path;
  if (packed->size() <= 4'096) check_places(document, stored, path);  // each place is looked for

  // On the wire it is JSON, and that JSON is a document whose wire form is the same.
  std::string text;
  document.render(text);
  const auto again = pack_json(text);
  CHECK(again.has_value());
  CHECK(Packed(*again).plain() || text.find(R"("\u0000t")") != std::string::npos);
  std::string text_again;
  Packed(*again).render(text_again);
  CHECK(text_again == text);
  CHECK(render_json(*parse_json(text)) == render_json(*parse_json(render_json(stored))));
}

}  // namespace mayfly::fuzz
