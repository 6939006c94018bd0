// Packed bytes, possibly damaged: any bytes are read within their bounds, and pass check() only if
// pack() would have written them.
#include "value/packed/packed.h"

#include "fuzz.h"
#include "value/json/json.h"
#include "value/order/order.h"

namespace mayfly::fuzz {
namespace {

bool lies_within(std::string_view part, BytesView whole) {
  return part.empty() ||
         (part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size());
}

void check_members(const Packed& document, const Value& value) {
  for (const auto& [name, member] : value.object()) {
    const Value found = document.member(name);
    CHECK(found.kind() == member.kind() && same(found, member));
    CHECK(!document.raw_member(name).empty());
    if (member.is(Kind::object)) {
      for (const auto& [inner, below] : member.object()) {
        CHECK(same(document.at(Path{{name, inner}}), below));
      }
    }
    if (member.is(Kind::array)) {
      const Array& items = member.array();
      for (std::size_t i = 0; i <= items.size(); i += 1 + i) {
        const Value item = document.at(Path{{name, i}});
        CHECK(i < items.size() ? same(item, items[i]) : item.is_missing());
      }
    }
  }
}

// What bytes give that pack did not write: anything, from within their bounds.
void look_around(const Packed& document, BytesView bytes) {
  CHECK(lies_within(document.json(), bytes));
  for (const std::string_view name : {"", "a", "b", "t", "\x1F", "a\"b"}) {
    CHECK(lies_within(document.raw_member(name), bytes));
    document.member(name);
    document.at(Path{{std::string(name), "a"}});
    document.at(Path{{std::string(name), std::size_t{1}}});
    document.at(Path{{std::string(name), std::size_t{0}, "a", std::size_t{2}}});
  }
  std::string out;
  document.render_members(out);
  document.render(out);
}

}  // namespace

void run(BytesView input) {
  const Packed document(input);
  look_around(document, input);
  const Value value = document.unpack();
  const auto judged = document.check();
  if (!judged) {
    CHECK(judged.error().code == Code::corrupt);
    return;
  }
  CHECK(value.is(Kind::object));
  CHECK(pack(value).value() == input);
  std::string rendered;
  document.render(rendered);
  CHECK(parse_json(rendered).has_value());
  // The wire form of an object without values that JSON lacks is the text as it lies there.
  if (document.plain()) CHECK(rendered == document.json());
  CHECK(render_json(*parse_json(rendered)) == render_json(*parse_json(render_json(value))));
  if (input.size() <= 4'096) check_members(document, value);
}

}  // namespace mayfly::fuzz
