// The total order of values.
#include "value/order/order.h"

#include <algorithm>
#include <cmath>

namespace mayfly {
namespace {

// Integers and reals sort together.
int rank(Kind kind) {
  return static_cast<int>(kind == Kind::real ? Kind::integer : kind);
}

std::strong_ordering order_reals(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(b) <=> std::isnan(a);
  return a < b   ? std::strong_ordering::less
         : a > b ? std::strong_ordering::greater
                 : std::strong_ordering::equal;
}

std::strong_ordering order_any_numbers(const Value& a, const Value& b) {
  if (a.is(Kind::integer) && b.is(Kind::integer)) return a.integer() <=> b.integer();
  if (a.is(Kind::integer)) return order_numbers(a.integer(), b.real());
  if (b.is(Kind::integer)) return 0 <=> order_numbers(b.integer(), a.real());
  return order_reals(a.real(), b.real());
}

std::strong_ordering order_arrays(const Array& a, const Array& b) {
  const std::size_t shared = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < shared; ++i) {
    if (const auto by_item = order(a[i], b[i]); by_item != 0) return by_item;
  }
  return a.size() <=> b.size();
}

std::strong_ordering order_objects(const Object& a, const Object& b) {
  const auto left = members_by_name(a);
  const auto right = members_by_name(b);
  const std::size_t shared = std::min(left.size(), right.size());
  for (std::size_t i = 0; i < shared; ++i) {
    if (const auto by_name = left[i]->first <=> right[i]->first; by_name != 0) return by_name;
    if (const auto by_value = order(left[i]->second, right[i]->second); by_value != 0) {
      return by_value;
    }
  }
  return left.size() <=> right.size();
}

}  // namespace

std::vector<const Object::Member*> members_by_name(const Object& object) {
  std::vector<const Object::Member*> members;
  members.reserve(object.size());
  for (const Object::Member& member : object) {
    if (!member.second.is_missing()) members.push_back(&member);
  }
  std::sort(members.begin(), members.end(),
            [](const auto* a, const auto* b) { return a->first < b->first; });
  return members;
}

std::strong_ordering order_numbers(std::int64_t a, double b) {
  if (std::isnan(b) || b < -two_to_63) return std::strong_ordering::greater;
  if (b >= two_to_63) return std::strong_ordering::less;
  // Within int64 the whole part converts exactly; only doubles small enough to have a fraction have
  // one.
  const double whole = std::trunc(b);
  const auto by_whole = a <=> static_cast<std::int64_t>(whole);
  return by_whole != 0 ? by_whole : order_reals(whole, b);
}

std::strong_ordering order(const Value& a, const Value& b) {
  if (const auto by_kind = rank(a.kind()) <=> rank(b.kind()); by_kind != 0) return by_kind;
  switch (a.kind()) {
    case Kind::missing:
    case Kind::null: return std::strong_ordering::equal;
    case Kind::boolean: return a.boolean() <=> b.boolean();
    case Kind::integer:
    case Kind::real: return order_any_numbers(a, b);
    case Kind::text: return a.text() <=> b.text();
    case Kind::time: return a.time() <=> b.time();
    case Kind::date: return a.date() <=> b.date();
    case Kind::binary: return a.binary() <=> b.binary();
    case Kind::reference: return a.reference() <=> b.reference();
    case Kind::array: return order_arrays(a.array(), b.array());
    case Kind::object: return order_objects(a.object(), b.object());
  }
  return std::strong_ordering::equal;
}

std::strong_ordering order_null_greatest(const Value& a, const Value& b) {
  if (is_nothing(a) || is_nothing(b)) return is_nothing(a) <=> is_nothing(b);
  return order(a, b);
}

}  // namespace mayfly
