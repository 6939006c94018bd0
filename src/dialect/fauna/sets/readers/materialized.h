// Sets that have to be read all at once: sorted, without repetitions, from the end.
#pragma once

#include <vector>

#include "base/result.h"
#include "dialect/fauna/run/run.h"
#include "dialect/fauna/sets/readers/reader.h"

namespace mayfly::fauna {

// What the callbacks of sets may do.
inline constexpr EffectLimit set_functions{Effect::read, "set functions"};

// Elements, and until when each is one of the set.
struct Gathered {
  FqlArray items;
  std::vector<Instant> ends;  // as many
};

// All elements of a set. Fails with value_too_large where there are too many.
Result<Gathered> gather(Interpreter& run, const SetPtr& set, const ReadOptions& options);

// What the set is of those below it: with what has died since the snapshot, so that places count
// the same on every page.
Result<Gathered> gathered(Interpreter& run, const FqlSet::Ordered& ordered,
                          const ReadOptions& options);
Result<Gathered> gathered(Interpreter& run, const FqlSet::Distinct& distinct,
                          const ReadOptions& options);
Result<Gathered> gathered(Interpreter& run, const FqlSet::Reversed& reversed,
                          const ReadOptions& options);

// A reader of such elements, behind the first `taken` ones; it leaves out what has died. Its place
// holds those that are left, so that later pages follow the order that was found first and read
// nothing again; where that is too much for a cursor, how many have been taken.
SetReaderPtr make_gathered_reader(Interpreter& run, Gathered gathered, const ReadOptions& options,
                                  std::size_t taken);
bool holds_elements(const SetPlace& place);
Result<SetReaderPtr> open_held(Interpreter& run, const SetPlace& place, const ReadOptions& options);

}  // namespace mayfly::fauna
