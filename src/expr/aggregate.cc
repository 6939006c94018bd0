#include "expr/aggregate.h"

#include "expr/aggregates/families.h"

namespace mayfly {

std::span<const Aggregate> aggregates() {
  static const std::vector<Aggregate> all = [] {
    std::vector<Aggregate> rows;
    for (const auto& family : {number_aggregates(), value_aggregates()}) {
      rows.insert(rows.end(), family.begin(), family.end());
    }
    return rows;
  }();
  return all;
}

const Aggregate* find_aggregate(std::string_view name) {
  for (const Aggregate& aggregate : aggregates()) {
    if (aggregate.name == name) return &aggregate;
  }
  return nullptr;
}

}  // namespace mayfly
