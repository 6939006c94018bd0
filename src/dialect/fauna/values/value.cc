#include "dialect/fauna/values/value.h"

#include <algorithm>

#include "dialect/fauna/run/functions/callable.h"
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

FqlValue::FqlValue(Shared<FqlObject> o) : variant_(std::move(o)) {
  std::uint16_t deepest = 0;
  for (const FqlObject::Member& member : object().members()) {
    deepest = std::max(deepest, member.second.depth());
  }
  depth_ = one_deeper(deepest);
}

FqlValue::FqlValue(Shared<FqlArray> a) : variant_(std::move(a)) {
  std::uint16_t deepest = 0;
  for (const FqlValue& item : array()) deepest = std::max(deepest, item.depth());
  depth_ = one_deeper(deepest);
}

FqlValue::FqlValue(Shared<FqlSet> s) : variant_(std::move(s)) {
  if (set()) depth_ = one_deeper(set()->depth);
}

FqlValue::FqlValue(Shared<Callable> c) : variant_(std::move(c)) {
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

namespace {

// Whether both are known to be the same without comparing their contents.
bool is_itself(const FqlValue& a, const FqlValue& b) {
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case FqlKind::array: return &a.array() == &b.array();
    case FqlKind::object: return &a.object() == &b.object();
    case FqlKind::shown_document: return &a.shown_document() == &b.shown_document();
    case FqlKind::shown_page: return &a.shown_page() == &b.shown_page();
    case FqlKind::document: return a.document() == b.document();
    case FqlKind::text: return &a.text() == &b.text();
    case FqlKind::event_source: return &a.event_source_token() == &b.event_source_token();
    case FqlKind::set: return a.set() == b.set();
    case FqlKind::boolean: return a.boolean() == b.boolean();
    case FqlKind::whole:
      return a.whole().number == b.whole().number && a.whole().is_long == b.whole().is_long;
    default: return false;
  }
}

// nullopt if no item has changed.
Result<std::optional<FqlArray>> changed_array(const FqlArray& items, const ChangeItem& change) {
  std::optional<FqlArray> made;
  for (std::size_t i = 0; i < items.size(); ++i) {
    FqlValue item = TRY(change(items[i]));
    if (!made) {
      if (is_itself(item, items[i])) continue;
      made.emplace();
      made->reserve(items.size());
      made->assign(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(i));
    }
    made->push_back(std::move(item));
  }
  return made;
}

Result<std::optional<FqlObject>> changed_object(const FqlObject& object, const ChangeItem& change) {
  std::optional<FqlObject> made;
  for (std::size_t i = 0; i < object.size(); ++i) {
    const FqlValue& before = object.members()[i].second;
    FqlValue member = TRY(change(before));
    if (is_itself(member, before)) continue;
    if (!made) made = object;
    made->members()[i].second = std::move(member);
  }
  return made;
}

}  // namespace

Result<FqlValue> with_items(const FqlValue& value, const ChangeItem& change) {
  if (value.is(FqlKind::array)) {
    auto made = TRY(changed_array(value.array(), change));
    return made ? FqlValue(*std::move(made)) : value;
  }
  auto made = TRY(changed_object(value.object(), change));
  return made ? FqlValue(*std::move(made)) : value;
}

FqlValue with_leaves(const FqlValue& value, const ReplaceLeaf& replace) {
  const ChangeItem change = [&](const FqlValue& item) { return with_leaves(item, replace); };
  switch (value.kind()) {
    case FqlKind::array:
    case FqlKind::object: return *with_items(value, change);
    case FqlKind::shown_document: {
      auto fields = *changed_object(value.shown_document().fields, change);
      if (!fields) return value;
      ShownDocument shown = value.shown_document();
      shown.fields = *std::move(fields);
      return std::make_shared<const ShownDocument>(std::move(shown));
    }
    case FqlKind::shown_page: {
      if (!value.shown_page().data) return value;
      auto data = *changed_array(*value.shown_page().data, change);
      if (!data) return value;
      return std::make_shared<const ShownPage>(
          ShownPage{*std::move(data), value.shown_page().cursor});
    }
    default: return replace(value).value_or(value);
  }
}

ModulePtr module_of(std::string name) {
  return std::make_shared<const Module>(Module{std::move(name)});
}

}  // namespace mayfly::fauna
