// Measures the full size of a value: the cost of traversing, copying or showing all of it. Arrays
// and objects that share parts can be far larger than the memory that they take.
#pragma once

#include <cstddef>

#include "base/result.h"
#include "dialect/fauna/run/run.h"
#include "dialect/fauna/values/value.h"

namespace mayfly::fauna {

// The size in bytes of text, roughly: at most that of its shortest rendering. Takes steps in
// proportion, so that a value that is too large to traverse ends the query.
Result<std::size_t> weigh(Run& run, const FqlValue& value);

// To be called before a value is copied deeply. The copy, which shares nothing, counts as made, and
// its traversal takes steps. Sets and functions stay shared.
Result<void> count_copy(Run& run, const FqlValue& value);
Result<void> count_copy(Run& run, const FqlObject& object);

// Takes the steps for traversing so many bytes.
Result<void> step_bytes(Run& run, std::size_t bytes);

}  // namespace mayfly::fauna
