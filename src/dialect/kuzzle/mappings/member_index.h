// MemberIndex: finds members of one object by many names. It traverses a large object once instead
// of once for each name. The object must not change while the index exists.
#pragma once

#include <cstddef>
#include <map>
#include <string_view>
#include <utility>

#include "value/value.h"

namespace mayfly::kuzzle {

template <class AnObject>  // Object or const Object
class MemberIndex {
 public:
  // `names`: the expected number of look-ups.
  MemberIndex(AnObject& object, std::size_t names) : object_(object) {
    constexpr std::size_t few = 16;
    if (names <= few || object.size() <= few) return;
    for (auto& [name, value] : object) by_name_.emplace(name, &value);
  }
  // Null pointer if there is no such member.
  auto find(std::string_view name) const {
    if (by_name_.empty()) return object_.find(name);
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : found->second;
  }

 private:
  AnObject& object_;
  std::map<std::string_view, decltype(std::declval<AnObject&>().find(""))> by_name_;
};

}  // namespace mayfly::kuzzle
