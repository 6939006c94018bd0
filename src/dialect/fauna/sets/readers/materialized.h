// Sets that must be read completely before the first element: sorted, distinct, reversed.
#pragma once

#include <vector>

#include "base/result.h"
#include "dialect/fauna/run/run.h"
#include "dialect/fauna/sets/readers/reader.h"

namespace mayfly::fauna {

// The effects that callbacks of sets may have.
inline constexpr EffectLimit set_functions{Effect::read, "set functions"};

// Elements, and when each of them stops being an element of the set.
struct GatheredElements {
  FqlArray items;
  std::vector<Instant> ends;  // parallel to `items`
};

// Reads all elements of a set. Fails with value_too_large if there are too many.
Result<GatheredElements> gather(Interpreter& run, const SetPtr& set, const ReadOptions& options);

// Computes all elements of the set from its input. Includes elements that have expired since the
// snapshot, so that positions are the same on every page.
Result<GatheredElements> gathered(Interpreter& run, const FqlSet::Ordered& ordered,
                                  const ReadOptions& options);
Result<GatheredElements> gathered(Interpreter& run, const FqlSet::Distinct& distinct,
                                  const ReadOptions& options);
Result<GatheredElements> gathered(Interpreter& run, const FqlSet::Reversed& reversed,
                                  const ReadOptions& options);

// A reader of gathered elements, after the first `taken` ones; it leaves out expired ones. Its
// position holds the remaining elements, so that later pages keep the order of the first and read
// nothing again. If they are too large for a cursor, the position is the number of elements taken.
SetReaderPtr make_gathered_reader(Interpreter& run, GatheredElements gathered,
                                  const ReadOptions& options, std::size_t taken);
bool holds_elements(const SetPosition& position);
Result<SetReaderPtr> open_gathered(Interpreter& run, const SetPosition& position,
                                   const ReadOptions& options);

}  // namespace mayfly::fauna
