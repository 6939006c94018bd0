// How large a value is: what it costs to go through all of it, to copy or to show it. Arrays and
// objects that share their parts can be far larger than the memory that they take.
#pragma once

#include <cstddef>

#include "base/result.h"
#include "dialect/fauna/run/run.h"
#include "dialect/fauna/values/value.h"

namespace mayfly::fauna {

// In bytes of text, about: at most what its shortest rendering takes. Takes steps in proportion, so
// that a value that is too large to go through ends the query.
Result<std::size_t> weigh(Run& run, const FqlValue& value);

// Before all of a value is copied: the copy, in which nothing is shared, counts as made, and going
// through it takes steps. Sets and functions stay shared.
Result<void> count_copy(Run& run, const FqlValue& value);
Result<void> count_copy(Run& run, const FqlObject& object);

// The steps that going over so many bytes is worth.
Result<void> step_bytes(Run& run, std::size_t bytes);

}  // namespace mayfly::fauna
