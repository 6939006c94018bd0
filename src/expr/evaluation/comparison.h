// The six comparisons, on values and on stored JSON text. functions/comparison.cc and evaluate.cc
// use the same code, so that both ways of evaluation always agree.
#pragma once

#include <optional>
#include <string_view>

#include "expr/evaluation/evaluate.h"
#include "expr/function.h"
#include "value/value.h"

namespace mayfly {

// equal and not_equal: deep; false and true for values of different kinds; unknown if a side is
// missing. The orderings: by order() between two numbers, texts, booleans, nulls, times, dates,
// binaries or references; anything else is unknown.
Truth compare(Comparison how, const Value& a, const Value& b);

// compare(how, the value of the JSON text, literal), if that can be decided from the text without
// making a value; else nullopt. An empty text is a missing value.
std::optional<Truth> compare_json(Comparison how, std::string_view json, const Value& literal);

// The comparison with its sides exchanged: less becomes greater.
Comparison mirrored(Comparison how);
const Function& function_of(Comparison how);

}  // namespace mayfly
