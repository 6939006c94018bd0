#include "dialect/fauna/library/arrays/ordering.h"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <optional>
#include <string>
#include <vector>

#include "dialect/fauna/run/functions/callable.h"
#include "dialect/fauna/values/order.h"

namespace mayfly::fauna {
namespace {

Result<Ordering> read_ordering(Run& run, const FqlValue& argument, std::size_t i) {
  Ordering ordering{.name = fmt::format("ordering{}", i)};
  if (argument.is(FqlKind::function)) {
    ordering.accessor = argument.function().get();
    return ordering;
  }
  const bool is_one = argument.is(FqlKind::object) && argument.object().size() == 1;
  const FqlObject::Member* const member = is_one ? &argument.object().members().front() : nullptr;
  const bool is_known = member != nullptr && (member->first == "asc" || member->first == "desc");
  if (!is_known || !member->second.is(FqlKind::function)) {
    return run.fail_argument(ordering.name,
                             "expected a function, `asc(function)` or `desc(function)`");
  }
  ordering.accessor = member->second.function().get();
  ordering.is_descending = member->first == "desc";
  return ordering;
}

// An element with its sort keys.
struct SortedElement {
  std::size_t position = 0;  // in the array
  std::vector<FqlValue> keys = {};
};

Result<std::vector<SortedElement>> with_keys(Run& run, const FqlArray& elements,
                                             std::span<const Ordering> orderings) {
  const std::size_t bytes = sizeof(SortedElement) + orderings.size() * sizeof(FqlValue);
  TRY(run.make(elements.size() * bytes));
  std::vector<SortedElement> sorted(elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    sorted[i].position = i;
    sorted[i].keys.reserve(orderings.size());
    for (const Ordering& by : orderings) {
      sorted[i].keys.push_back(by.accessor == nullptr
                                   ? elements[i]
                                   : TRY(run.call_back(*by.accessor, by.name, {&elements[i], 1})));
    }
  }
  return sorted;
}

// Compares within the bounds of the run. After a failure all elements count as equal, so that the
// sort ends soon.
class BoundedOrder {
 public:
  BoundedOrder(Run& run, std::span<const Ordering> orderings) : run_(run), orderings_(orderings) {}

  std::strong_ordering compare(const SortedElement& a, const SortedElement& b) {
    for (std::size_t i = 0; i < a.keys.size() && !error_; ++i) {
      auto order = total_order(run_.meter(), a.keys[i], b.keys[i]);
      if (!order) {
        error_ = std::move(order).error();
      } else if (*order != 0) {
        return orderings_[i].is_descending ? 0 <=> *order : *order;
      }
    }
    return std::strong_ordering::equal;
  }

  Result<void> sort(std::vector<SortedElement>& elements) {
    std::ranges::stable_sort(elements, [this](const SortedElement& a, const SortedElement& b) {
      return compare(a, b) < 0;
    });
    return check();
  }
  Result<void> check() const {
    return error_ ? Result<void>(tl::unexpected<Error>(*error_)) : Result<void>();
  }

 private:
  Run& run_;
  const std::span<const Ordering> orderings_;
  std::optional<Error> error_;
};

}  // namespace

Result<std::vector<Ordering>> read_orderings(Run& run, std::span<const FqlValue> argument) {
  std::vector<Ordering> orderings;
  for (std::size_t i = 0; i < argument.size(); ++i) {
    orderings.push_back(TRY(read_ordering(run, argument[i], i)));
  }
  if (orderings.empty()) orderings.emplace_back();
  return orderings;
}

Result<std::vector<std::size_t>> sorted_positions(Run& run, const FqlArray& elements,
                                                  std::span<const Ordering> orderings) {
  std::vector<SortedElement> sorted = TRY(with_keys(run, elements, orderings));
  BoundedOrder order(run, orderings);
  TRY(order.sort(sorted));
  std::vector<std::size_t> places;
  places.reserve(elements.size());
  for (const SortedElement& element : sorted) places.push_back(element.position);
  return places;
}

Result<FqlArray> in_order(Run& run, const FqlArray& elements, std::span<const Ordering> orderings) {
  FqlArray result;
  result.reserve(elements.size());
  for (const std::size_t position : TRY(sorted_positions(run, elements, orderings))) {
    result.push_back(elements[position]);
  }
  return result;
}

Result<std::vector<std::size_t>> first_equals(Run& run, const FqlArray& elements) {
  const Ordering by_element[1] = {};
  std::vector<SortedElement> sorted = TRY(with_keys(run, elements, by_element));
  BoundedOrder order(run, by_element);
  TRY(order.sort(sorted));
  std::vector<std::size_t> firsts(elements.size());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const bool is_repeated = i > 0 && order.compare(sorted[i - 1], sorted[i]) == 0;
    firsts[sorted[i].position] = is_repeated ? firsts[sorted[i - 1].position] : sorted[i].position;
  }
  TRY(order.check());
  return firsts;
}

Result<FqlArray> without_duplicates(Run& run, const FqlArray& elements) {
  const std::vector<std::size_t> firsts = TRY(first_equals(run, elements));
  FqlArray result;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (firsts[i] == i) result.push_back(elements[i]);
  }
  return result;
}

}  // namespace mayfly::fauna
