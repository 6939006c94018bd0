// SetReader: gives the elements of a set one after the other, and says where it stands, so that
// another one goes on there: on the next page, or after a restart.
#pragma once

#include <memory>
#include <optional>

#include "base/result.h"
#include "dialect/fauna/sets/set.h"
#include "lifetime/lens.h"
#include "value/value.h"

namespace mayfly::fauna {

// Where a reader stands: small values, whose form is each reader's own. REACHES CLIENTS: it lies in
// cursors.
using SetPlace = mayfly::Value;

class SetReader {
 public:
  virtual ~SetReader() = default;
  // Nothing: there are no more. Fails as the query's functions do.
  virtual Result<std::optional<FqlValue>> next() = 0;
  // Until when the element that next() gave last is one of the set: the death of the document that
  // it comes from, in the version that was read. never(): it comes from none.
  virtual Instant end() const { return Instant::never(); }
  // Behind the last element that next() gave.
  virtual SetPlace place() const = 0;
  // Whether there is another one. Nothing is asked of the reader afterwards.
  virtual Result<bool> has_next() { return TRY(next()).has_value(); }
};
using SetReaderPtr = std::unique_ptr<SetReader>;

struct ReadOptions {
  std::size_t rows_wanted = 16;  // read at once from below
  // Set: of a page of a snapshot: membership, order and lambdas as of then.
  std::optional<Instant> snapshot = {};
  // Whether a place may hold the elements that are left. False below what asks for many places.
  bool holds_elements = true;
  // Of a snapshot: what has died since is given, too, so that what counts elements counts as it did
  // on the first page. What counts leaves it out itself, by its end.
  bool gives_dead = false;

  bool leaves_out(Instant end, Instant now) const { return snapshot && !gives_dead && end <= now; }
};

// `place`: missing at the beginning. Fails with invalid where it does not fit the set.
Result<SetReaderPtr> open_set(Interpreter& run, const SetPtr& set, const SetPlace& place,
                              const ReadOptions& options);

// All elements, until `visit` gives false. Fails with value_too_large where `elements_max` is
// passed.
using VisitElement = std::function<Result<bool>(const FqlValue& element)>;
Result<void> each_element(Interpreter& run, const SetPtr& set, const VisitElement& visit,
                          std::size_t rows_wanted = 128);
Result<FqlArray> all_elements(Interpreter& run, const SetPtr& set);
// How many there are; without reading documents where an index says it.
Result<std::int64_t> count_elements(Interpreter& run, const SetPtr& set);

}  // namespace mayfly::fauna
