// Paths: one that was read renders as a text that reads back the same. It leads to one place, which
// can be set and removed.
//
// The input is a path and, after the first line feed, a JSON value.
#include "value/path.h"

#include "base/limits.h"
#include "fuzz.h"
#include "value/json/json.h"
#include "value/order/order.h"

namespace mayfly::fuzz {
namespace {

void check_text(const Path& path) {
  CHECK(path.steps.size() <= limits::document_depth_max);
  const std::string text = path.render();
  CHECK(text.starts_with('.'));
  const auto again = Path::parse(text);
  CHECK(again.has_value() && *again == path);
  CHECK(Field({Part::metadata, path}).render().substr(1) == text.substr(1));
}

void check_place(const Path& path, const Value& value) {
  const std::string before = render_json(value);
  const Value mark = "a mark that is nowhere else";
  Value changed = value;
  const auto set = set_at(changed, path, mark);
  CHECK(render_json(value) == before);  // a copy shares what it has, but not its changes
  if (!set) {
    CHECK(set.error().code == Code::invalid && same(changed, value));
    CHECK(at(value, path).is_missing());
    return;
  }
  CHECK(same(at(changed, path), mark));
  const Value old = at(value, path);
  if (!old.is_missing()) {
    Value back = changed;
    CHECK(set_at(back, path, old).has_value());
    CHECK(render_json(back) == before);
  }
  CHECK(remove_at(changed, path));
  CHECK(!same(at(changed, path), mark));
  Value untouched = value;
  if (!value.is_missing()) CHECK(remove_at(untouched, path) == !old.is_missing());
}

}  // namespace

void run(BytesView input) {
  const BytesView text = input.substr(0, input.find('\n'));
  const auto path = Path::parse(text);
  if (!path) {
    CHECK(path.error().code == Code::invalid);
    return;
  }
  check_text(*path);
  const BytesView json = input.substr(std::min(text.size() + 1, input.size()));
  const auto value = parse_json(json);
  check_place(*path, value ? *value : Value());
}

}  // namespace mayfly::fuzz
