#include "dialect/fauna/library/ordering.h"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <optional>
#include <string>
#include <vector>

#include "dialect/fauna/run/callable.h"
#include "dialect/fauna/run/weight.h"
#include "dialect/fauna/values/order.h"

namespace mayfly::fauna {
namespace {

struct Ordering {
  std::string name;  // in messages
  const Callable* accessor = nullptr;
  bool is_descending = false;
};

Result<Ordering> read_ordering(Run& run, const FqlValue& given, std::size_t i) {
  Ordering ordering{.name = fmt::format("ordering{}", i)};
  if (given.is(FqlKind::function)) {
    ordering.accessor = given.function().get();
    return ordering;
  }
  const bool is_one = given.is(FqlKind::object) && given.object().size() == 1;
  const FqlObject::Member* const member = is_one ? &given.object().members().front() : nullptr;
  const bool is_known = member != nullptr && (member->first == "asc" || member->first == "desc");
  if (!is_known || !member->second.is(FqlKind::function)) {
    return run.fail_argument(ordering.name,
                             "expected a function, `asc(function)` or `desc(function)`");
  }
  ordering.accessor = member->second.function().get();
  ordering.is_descending = member->first == "desc";
  return ordering;
}

Result<std::vector<Ordering>> read_orderings(Run& run, std::span<const FqlValue> given) {
  std::vector<Ordering> orderings;
  for (std::size_t i = 0; i < given.size(); ++i) {
    orderings.push_back(TRY(read_ordering(run, given[i], i)));
  }
  return orderings;
}

// An element by what it is sorted by.
struct SortedElement {
  std::size_t place = 0;  // in the array
  std::vector<FqlValue> keys = {};
  std::size_t weight = 1;  // of all keys
};

Result<std::vector<SortedElement>> with_keys(Run& run, const FqlArray& elements,
                                             std::span<const Ordering> orderings) {
  std::vector<SortedElement> sorted(elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    SortedElement& element = sorted[i];
    element.place = i;
    if (orderings.empty()) element.keys.push_back(elements[i]);
    for (const Ordering& by : orderings) {
      element.keys.push_back(TRY(run.call_back(*by.accessor, by.name, {&elements[i], 1})));
    }
    for (const FqlValue& key : element.keys) element.weight += TRY(weigh(run, key));
  }
  TRY(run.make(sorted.size() * sizeof(SortedElement)));
  return sorted;
}

// Compares within the bounds of the run. Where they are met, no element is before another any more,
// which ends the sorting soon.
class BoundedOrder {
 public:
  BoundedOrder(Run& run, std::span<const Ordering> orderings) : run_(run), orderings_(orderings) {}

  std::strong_ordering compare(const SortedElement& a, const SortedElement& b) {
    if (!error_) {
      auto ticked = run_.meter().tick(static_cast<std::uint32_t>(std::min(a.weight, b.weight)));
      if (!ticked) error_ = std::move(ticked).error();
    }
    if (error_) return std::strong_ordering::equal;
    for (std::size_t i = 0; i < a.keys.size(); ++i) {
      const auto order = total_order(a.keys[i], b.keys[i]);
      if (order == 0) continue;
      const bool is_descending = !orderings_.empty() && orderings_[i].is_descending;
      return is_descending ? 0 <=> order : order;
    }
    return std::strong_ordering::equal;
  }

  Result<void> sort(std::vector<SortedElement>& elements) {
    std::ranges::stable_sort(elements, [this](const SortedElement& a, const SortedElement& b) {
      return compare(a, b) < 0;
    });
    if (error_) return tl::unexpected<Error>(*error_);
    return {};
  }

 private:
  Run& run_;
  const std::span<const Ordering> orderings_;
  std::optional<Error> error_;
};

}  // namespace

Result<FqlArray> in_order(Run& run, const FqlArray& elements, std::span<const FqlValue> orderings) {
  const std::vector<Ordering> by = TRY(read_orderings(run, orderings));
  std::vector<SortedElement> sorted = TRY(with_keys(run, elements, by));
  BoundedOrder order(run, by);
  TRY(order.sort(sorted));
  FqlArray result;
  result.reserve(elements.size());
  for (const SortedElement& element : sorted) result.push_back(elements[element.place]);
  return result;
}

Result<FqlArray> without_duplicates(Run& run, const FqlArray& elements) {
  std::vector<SortedElement> sorted = TRY(with_keys(run, elements, {}));
  BoundedOrder order(run, {});
  TRY(order.sort(sorted));
  std::vector<bool> is_first(elements.size(), true);
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (order.compare(sorted[i - 1], sorted[i]) == 0) is_first[sorted[i].place] = false;
  }
  FqlArray result;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (is_first[i]) result.push_back(elements[i]);
  }
  return result;
}

}  // namespace mayfly::fauna
