#include "dialect/fauna/values/value.h"

#include <algorithm>

#include "dialect/fauna/run/callable.h"
#include "dialect/fauna/sets/set.h"

namespace mayfly::fauna {
namespace {

constexpr std::int64_t micros_of_second = 1'000'000;
constexpr std::int32_t nanos_of_micro = 1'000;

std::uint16_t one_deeper(std::uint16_t depth) {
  return static_cast<std::uint16_t>(std::min(depth + 1, int{UINT16_MAX}));
}

}  // namespace

FqlTime FqlTime::of(Instant t) {
  std::int64_t seconds = t.micros / micros_of_second;
  std::int64_t rest = t.micros % micros_of_second;
  if (rest < 0) {
    rest += micros_of_second;
    --seconds;
  }
  return {seconds, static_cast<std::int32_t>(rest) * nanos_of_micro};
}

Instant FqlTime::instant() const {
  constexpr std::int64_t most = INT64_MAX / micros_of_second - 1;
  if (seconds >= most) return Instant::never();
  if (seconds <= -most) return Instant::beginning();
  return Instant{seconds * micros_of_second + (nanos + nanos_of_micro - 1) / nanos_of_micro};
}

const FqlValue* FqlObject::find(std::string_view name) const {
  const auto found = std::find_if(members_.begin(), members_.end(),
                                  [&](const Member& member) { return member.first == name; });
  return found == members_.end() ? nullptr : &found->second;
}

FqlValue* FqlObject::find(std::string_view name) {
  return const_cast<FqlValue*>(std::as_const(*this).find(name));
}

void FqlObject::set(std::string name, FqlValue value) {
  if (FqlValue* there = find(name)) {
    *there = std::move(value);
  } else {
    append(std::move(name), std::move(value));
  }
}

void FqlObject::append(std::string name, FqlValue value) {
  members_.emplace_back(std::move(name), std::move(value));
}

bool FqlObject::remove(std::string_view name) {
  return std::erase_if(members_, [&](const Member& member) { return member.first == name; }) > 0;
}

std::size_t FqlObject::size() const {
  return members_.size();
}

bool FqlObject::empty() const {
  return members_.empty();
}

FqlValue::FqlValue(Shared<FqlObject> o) : held_(std::move(o)) {
  std::uint16_t deepest = 0;
  for (const FqlObject::Member& member : object().members()) {
    deepest = std::max(deepest, member.second.depth());
  }
  depth_ = one_deeper(deepest);
}

FqlValue::FqlValue(Shared<FqlArray> a) : held_(std::move(a)) {
  std::uint16_t deepest = 0;
  for (const FqlValue& item : array()) deepest = std::max(deepest, item.depth());
  depth_ = one_deeper(deepest);
}

FqlValue::FqlValue(Shared<FqlSet> s) : held_(std::move(s)) {
  if (set()) depth_ = one_deeper(set()->depth);
}

FqlValue::FqlValue(Shared<Callable> c) : held_(std::move(c)) {
  if (function()) depth_ = one_deeper(function()->depth());
}

FqlValue whole_number(std::int64_t n) {
  return Whole{n, n < INT32_MIN || n > INT32_MAX};
}

FqlValue long_number(std::int64_t n) {
  return Whole{n, true};
}

FqlValue null_because(NullCause cause, std::string_view detail) {
  NullValue null{cause};
  if (!detail.empty()) {
    null.detail = std::make_shared<const NullDetail>(NullDetail{.field = std::string(detail)});
  }
  return null;
}

FqlValue with_leaves(const FqlValue& value, const ReplaceLeaf& replace) {
  const auto settle_array = [&](const FqlArray& items) {
    FqlArray made;
    made.reserve(items.size());
    for (const FqlValue& item : items) made.push_back(with_leaves(item, replace));
    return made;
  };
  const auto settle_object = [&](const FqlObject& object) {
    FqlObject made;
    for (const auto& [name, member] : object.members()) {
      made.append(name, with_leaves(member, replace));
    }
    return made;
  };
  switch (value.kind()) {
    case FqlKind::array: return settle_array(value.array());
    case FqlKind::object: return settle_object(value.object());
    case FqlKind::shown_document: {
      ShownDocument shown = value.shown_document();
      shown.fields = settle_object(shown.fields);
      return std::make_shared<const ShownDocument>(std::move(shown));
    }
    case FqlKind::shown_page: {
      ShownPage page = value.shown_page();
      if (page.data) page.data = settle_array(*page.data);
      return std::make_shared<const ShownPage>(std::move(page));
    }
    default: return replace(value).value_or(value);
  }
}

ModulePtr module_of(std::string name) {
  return std::make_shared<const Module>(Module{std::move(name)});
}

}  // namespace mayfly::fauna
