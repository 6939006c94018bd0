// For tests: RapidCheck generators of FQL's values.
#pragma once

#include <rapidcheck.h>

#include <string>
#include <utility>
#include <vector>

#include "dialect/fauna/values/calendar.h"
#include "dialect/fauna/values/value.h"
#include "value/arbitrary.h"

namespace mayfly::fauna::arbitrary {

inline FqlValue number_of(const Value& n) {
  return n.is(Kind::integer) ? whole_number(n.integer()) : FqlValue(n.real());
}

inline rc::Gen<FqlTime> time() {
  const auto seconds = rc::gen::oneOf(
      rc::gen::inRange<std::int64_t>(-100, 100),
      rc::gen::inRange<std::int64_t>(-62'135'596'800, 253'402'300'800),
      rc::gen::inRange<std::int64_t>(-31'556'889'000'000'000, 31'556'889'000'000'000));
  const auto nanos = rc::gen::oneOf(
      rc::gen::elementOf(std::vector<std::int32_t>{0, 1, 1'000, 1'000'000, 999'999'999}),
      rc::gen::inRange(0, 1'000'000'000));
  return rc::gen::map(rc::gen::pair(seconds, nanos),
                      [](const auto& p) { return FqlTime{p.first, p.second}; });
}

inline rc::Gen<FqlDate> date() {
  return rc::gen::map(rc::gen::oneOf(rc::gen::inRange<std::int64_t>(-800'000, 3'000'000),
                                     rc::gen::inRange<std::int64_t>(-2'000'000'000, 2'000'000'000)),
                      [](std::int64_t days) { return FqlDate{days}; });
}

inline rc::Gen<FqlValue> id() {
  return rc::gen::elementOf(std::vector<FqlValue>{
      Id{"1"}, Id{"9"}, Id{"10"}, Id{"9007199254740993"}, Id{"a"}, Id{""}, Id{"007"}});
}

inline rc::Gen<FqlValue> document() {
  return rc::gen::elementOf(std::vector<FqlValue>{
      DocumentHandle{.collection = "Foo", .id = "1"},
      DocumentHandle{.collection = "Foo", .id = "10"},
      DocumentHandle{.collection = "Bar", .id = "9"},
      DocumentHandle{.collection = "Collection", .id = "Foo", .is_named = true}});
}

inline rc::Gen<FqlValue> uuid() {
  return rc::gen::elementOf(std::vector<FqlValue>{Uuid{"00000000-0000-0000-0000-000000000000"},
                                                  Uuid{"c6C8e5b1-6d4c-4a2e-9d2f-0123456789ab"}});
}

// Values that can be stored and are unchanged when read back. Texts are UTF-8.
inline rc::Gen<FqlValue> scalar() {
  return rc::gen::oneOf(
      rc::gen::elementOf(
          std::vector<FqlValue>{nullptr, true, false, module_of("Foo"), module_of("Math")}),
      rc::gen::map(mayfly::arbitrary::number(), number_of),
      rc::gen::map(mayfly::arbitrary::text(), [](std::string s) { return FqlValue(std::move(s)); }),
      rc::gen::map(rc::gen::arbitrary<std::string>(),
                   [](std::string s) { return FqlValue(ByteText{std::move(s)}); }),
      rc::gen::map(time(), [](FqlTime t) { return FqlValue(t); }),
      rc::gen::map(date(), [](FqlDate d) { return FqlValue(d); }), id(), document(), uuid());
}

inline rc::Gen<std::string> name() {
  return rc::gen::oneOf(
      rc::gen::elementOf(std::vector<std::string>{"a", "b", "@int", "@", "if", "_a", "a b"}),
      mayfly::arbitrary::name());
}

inline rc::Gen<FqlValue> value(int depth = 3) {
  if (depth == 0) return scalar();
  const auto inner = rc::gen::lazy([=] { return value(depth - 1); });
  const auto items = rc::gen::map(rc::gen::scale(0.3, rc::gen::container<FqlArray>(inner)),
                                  [](FqlArray array) { return FqlValue(std::move(array)); });
  const auto members = rc::gen::map(
      rc::gen::scale(
          0.3, rc::gen::container<std::vector<FqlObject::Member>>(rc::gen::pair(name(), inner))),
      [](const std::vector<FqlObject::Member>& list) {
        FqlObject object;
        for (const auto& [name, value] : list) object.set(name, value);
        return FqlValue(std::move(object));
      });
  return rc::gen::oneOf(scalar(), scalar(), items, members);
}

}  // namespace mayfly::fauna::arbitrary
