// For tests: RapidCheck generators of values, including many that are hard to order or to store.
#pragma once

#include <rapidcheck.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "value/value.h"

namespace mayfly::arbitrary {

// Whole numbers around the points where int64 and double differ.
inline rc::Gen<Value> number() {
  using Limits = std::numeric_limits<double>;
  std::vector<Value> hard = {0.0,
                             -0.0,
                             0.1,
                             -0.1,
                             1.5,
                             1e21,
                             1e-7,
                             123456.789,
                             1e300,
                             -1e300,
                             Limits::infinity(),
                             -Limits::infinity(),
                             Limits::quiet_NaN(),
                             Limits::denorm_min(),
                             -Limits::denorm_min(),
                             Limits::max(),
                             std::numeric_limits<std::int64_t>::max(),
                             std::numeric_limits<std::int64_t>::min()};
  for (const int power : {0, 1, 31, 52, 53, 54, 60, 61, 62, 63}) {
    const double d = std::ldexp(1, power);
    for (const double near : {d, std::nextafter(d, 0), std::nextafter(d, 1e30)}) {
      hard.insert(hard.end(), {near, -near});
    }
    if (power == 63) continue;
    const std::int64_t n = std::int64_t{1} << power;
    for (const std::int64_t by : {-513, -2, -1, 0, 1, 2, 511, 512, 513}) {
      hard.insert(hard.end(), {n + by, -(n + by)});
    }
  }
  const auto real = rc::gen::map(rc::gen::arbitrary<std::pair<std::int64_t, int>>(), [](auto p) {
    return Value(std::ldexp(static_cast<double>(p.first), p.second % 2000));
  });
  const auto integer =
      rc::gen::map(rc::gen::arbitrary<std::int64_t>(), [](std::int64_t n) { return Value(n); });
  return rc::gen::oneOf(rc::gen::elementOf(std::move(hard)), real, integer);
}

// Valid UTF-8 that includes every character that some encoding must escape.
inline rc::Gen<std::string> text() {
  const std::vector<std::string> pieces = {"a",
                                           "b",
                                           "t",
                                           "A",
                                           " ",
                                           "\"",
                                           "\\",
                                           "/",
                                           "\n",
                                           "\x01",
                                           "\x1F",
                                           "\x7F",
                                           std::string(1, '\0'),
                                           "é",
                                           "€",
                                           "😀",
                                           "\xC2\x80",
                                           "\xEF\xBF\xBF",
                                           "{",
                                           "}",
                                           "[",
                                           "]",
                                           ",",
                                           ":",
                                           R"({"\u0000t":[)"};
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(pieces)),
                      [](const std::vector<std::string>& parts) {
                        std::string text;
                        for (const std::string& part : parts) text += part;
                        return text;
                      });
}

inline rc::Gen<std::string> name() {
  const std::string nul(1, '\0');
  return rc::gen::oneOf(
      rc::gen::elementOf(std::vector<std::string>{"a", "b", "a" + nul, "", nul + "t", "object"}),
      text());
}

// Scalars that JSON can express.
inline rc::Gen<Value> json_scalar() {
  return rc::gen::oneOf(
      rc::gen::elementOf(std::vector<Value>{nullptr, true, false}),
      rc::gen::suchThat(
          number(), [](const Value& n) { return n.is(Kind::integer) || std::isfinite(n.real()); }),
      rc::gen::map(text(), [](std::string s) { return Value(std::move(s)); }));
}

// All scalars except missing.
inline rc::Gen<Value> scalar() {
  return rc::gen::oneOf(
      json_scalar(), number(),
      rc::gen::map(rc::gen::arbitrary<std::int64_t>(), [](auto n) { return Value(Instant{n}); }),
      rc::gen::map(rc::gen::arbitrary<std::int32_t>(), [](auto n) { return Value(Date{n}); }),
      rc::gen::map(rc::gen::arbitrary<std::string>(), [](auto s) { return Value(Binary{s}); }),
      rc::gen::map(rc::gen::pair(text(), text()),
                   [](auto p) { return Value(Reference{p.first, p.second}); }));
}

template <class Leaf>
rc::Gen<Value> tree(Leaf leaf, int depth);

template <class Leaf>
rc::Gen<Value> object(Leaf leaf, int depth) {
  const auto members = rc::gen::container<std::vector<std::pair<std::string, Value>>>(
      rc::gen::pair(name(), tree(leaf, depth - 1)));
  return rc::gen::map(rc::gen::scale(0.3, members), [](const auto& list) {
    Object object;
    for (const auto& [name, value] : list) object.set(name, value);
    return Value(object);
  });
}

// Nested values whose leaves `leaf` generates.
template <class Leaf>
rc::Gen<Value> tree(Leaf leaf, int depth) {
  if (depth == 0) return leaf();
  const auto items = rc::gen::scale(0.3, rc::gen::container<std::vector<Value>>(
                                             rc::gen::lazy([=] { return tree(leaf, depth - 1); })));
  return rc::gen::oneOf(leaf(), leaf(),
                        rc::gen::map(items, [](Array a) { return Value(std::move(a)); }),
                        rc::gen::lazy([=] { return object(leaf, depth); }));
}

inline rc::Gen<Value> value() {
  return tree(scalar, 3);
}
inline rc::Gen<Value> json_value() {
  return tree(json_scalar, 3);
}
inline rc::Gen<Value> document() {
  return object(scalar, 3);
}

}  // namespace mayfly::arbitrary
