// The families of aggregates.
#pragma once

#include <vector>

#include "expr/aggregate.h"

namespace mayfly {

std::vector<Aggregate> number_aggregates();
std::vector<Aggregate> value_aggregates();

template <class Kind>
std::unique_ptr<Accumulator> start() {
  return std::make_unique<Kind>();
}

}  // namespace mayfly
