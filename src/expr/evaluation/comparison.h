// How the six comparisons decide, on values and on JSON text as it lies in the store. For
// functions/comparison.cc and evaluate.cc; the same code stands behind both, so that the short way
// cannot differ from the long one.
#pragma once

#include <optional>
#include <string_view>

#include "expr/evaluation/evaluate.h"
#include "expr/function.h"
#include "value/value.h"

namespace mayfly {

// equal and not_equal: deep, across kinds false and true; unknown where a side is missing. The
// orderings: between two numbers, texts, booleans, nulls, times, dates, binaries or references by
// order(); anything else is unknown.
Truth compare(Comparison how, const Value& a, const Value& b);

// compare(how, the value of the JSON text, literal) where that can be told from the text without
// making a value; nothing where it cannot. An empty text is a missing value.
std::optional<Truth> compare_json(Comparison how, std::string_view json, const Value& literal);

// The comparison with its sides exchanged: less becomes greater.
Comparison mirrored(Comparison how);
const Function& function_of(Comparison how);

}  // namespace mayfly
