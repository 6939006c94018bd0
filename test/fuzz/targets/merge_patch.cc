// JSON merge patch, compared with a literal implementation of RFC 7396.
//
// The input is a JSON target and, after the first line feed, a JSON patch.
#include "fuzz.h"
#include "value/json/json.h"
#include "value/order/order.h"
#include "value/patch.h"

namespace mayfly::fuzz {
namespace {

// The function MergePatch of RFC 7396, section 2.
Value merge_by_the_book(const Value& target, const Value& patch) {
  if (!patch.is(Kind::object)) return patch;
  Object merged = target.is(Kind::object) ? target.object() : Object();
  for (const auto& [name, value] : patch.object()) {
    if (value.is_null()) {
      merged.remove(name);
    } else {
      merged.set(name, merge_by_the_book(target.member(name), value));
    }
  }
  return merged;
}

Value assign_by_the_book(const Value& target, const Value& over) {
  if (!over.is(Kind::object)) return target;
  Object assigned = target.is(Kind::object) ? target.object() : Object();
  for (const auto& [name, value] : over.object()) assigned.set(name, value);
  return assigned;
}

}  // namespace

void run(BytesView input) {
  const std::size_t line = input.find('\n');
  if (line == BytesView::npos) return;
  const auto target = parse_json(input.substr(0, line));
  const auto patch = parse_json(input.substr(line + 1));
  if (!target || !patch) return;
  const std::string before = render_json(*target);
  const Value merged = merge_patch(*target, *patch);
  CHECK(render_json(*target) == before);
  CHECK(render_json(merged) == render_json(merge_by_the_book(*target, *patch)));
  CHECK(render_json(merge_patch(merged, *patch)) == render_json(merged));
  const Value assigned = assign(*target, *patch);
  CHECK(render_json(assigned) == render_json(assign_by_the_book(*target, *patch)));
  CHECK(render_json(assign(assigned, *patch)) == render_json(assigned));
  CHECK(render_json(*target) == before);
}

}  // namespace mayfly::fuzz
