// An index of number ranges that finds those which contain a number. A range with two bounds is in
// a bucket whose width is the least power of two greater than the range's width. It touches two
// buckets at most, so a look-up reads one or two buckets for each width. Ranges with one bound are
// ordered by it. Private to the folder.
//
// Threads: one at a time.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "dialect/kuzzle/koncorde/filter.h"

namespace mayfly::kuzzle::koncorde {

class RangeIndex {
 public:
  using Bound = std::optional<Leaf::Bound>;
  using Id = std::uint64_t;

  void add(const Bound& from, const Bound& to, Id id) {
    const NumberRange range{from, to, id};
    if (from && to && std::isfinite(to->value - from->value)) {
      closed_[width_of(range)].by_bucket.emplace(bucket(from->value, width_of(range)), range);
    } else if (from) {
      from_.emplace(from->value, range);
    } else {
      to_.emplace(to->value, range);
    }
  }

  void remove(const Bound& from, const Bound& to, Id id) {
    const NumberRange range{from, to, id};
    if (from && to && std::isfinite(to->value - from->value)) {
      const auto width = closed_.find(width_of(range));
      if (width == closed_.end()) return;
      erase(width->second.by_bucket, bucket(from->value, width->first), id);
      if (width->second.by_bucket.empty()) closed_.erase(width);
    } else if (from) {
      erase(from_, from->value, id);
    } else {
      erase(to_, to->value, id);
    }
  }

  // Calls `found` with the id of each range that contains the number.
  template <class Take>
  void look_up(double number, const Take& found) const {
    const auto try_it = [&](const NumberRange& range) {
      if (holds(range, number)) found(range.id);
    };
    for (const auto& [width, ranges] : closed_) {
      // A range is stored in the bucket of its lower bound and may reach into the next.
      const double at = bucket(number, width);
      for (const double begin : {at, at - 1}) {
        const auto [first, last] = ranges.by_bucket.equal_range(begin);
        for (auto i = first; i != last; ++i) try_it(i->second);
        if (begin - 1 == begin) break;
      }
    }
    for (auto i = from_.begin(); i != from_.end() && i->first <= number; ++i) try_it(i->second);
    for (auto i = to_.lower_bound(number); i != to_.end(); ++i) try_it(i->second);
  }

  bool empty() const { return closed_.empty() && from_.empty() && to_.empty(); }

 private:
  struct NumberRange {
    Bound from;
    Bound to;
    Id id = 0;
  };
  struct OfWidth {
    std::unordered_multimap<double, NumberRange> by_bucket;
  };

  static bool holds(const NumberRange& range, double number) {
    if (range.from) {
      const bool is_above =
          number > range.from->value || (range.from->is_included && number == range.from->value);
      if (!is_above) return false;
    }
    if (!range.to) return true;
    return number < range.to->value || (range.to->is_included && number == range.to->value);
  }
  // The exponent of the least power of two that is greater than the range's width; 0 for width 0.
  static int width_of(const NumberRange& range) {
    int exponent = 0;
    std::frexp(range.to->value - range.from->value, &exponent);
    return exponent;
  }
  static double bucket(double number, int width) { return std::floor(std::ldexp(number, -width)); }

  template <class Map>
  static void erase(Map& map, double key, Id id) {
    const auto [first, last] = map.equal_range(key);
    for (auto i = first; i != last; ++i) {
      if (i->second.id != id) continue;
      map.erase(i);
      return;
    }
  }

  std::map<int, OfWidth> closed_;
  std::multimap<double, NumberRange> from_;
  std::multimap<double, NumberRange> to_;
};

}  // namespace mayfly::kuzzle::koncorde
