// SetReader: reads the elements of a set one after the other. It has a position from which another
// reader can continue, on the next page or after a restart.
#pragma once

#include <memory>
#include <optional>

#include "base/result.h"
#include "dialect/fauna/sets/set.h"
#include "lifetime/lens.h"
#include "value/value.h"

namespace mayfly::fauna {

// The position of a reader: a small value whose form depends on the reader. REACHES CLIENTS in
// cursors.
using SetPosition = mayfly::Value;

class SetReader {
 public:
  virtual ~SetReader() = default;
  // nullopt when there are no more. Fails as the query's functions do.
  virtual Result<std::optional<FqlValue>> next() = 0;
  // When the last element of next() stops being an element of the set: the expiration of the
  // document that it comes from, in the version that was read. never() if it comes from no
  // document.
  virtual Instant end() const { return Instant::never(); }
  // The position after the last element of next().
  virtual SetPosition position() const = 0;
  // Whether there is another element. The reader must not be used afterwards.
  virtual Result<bool> has_next() { return TRY(next()).has_value(); }
};
using SetReaderPtr = std::unique_ptr<SetReader>;

struct ReadOptions {
  std::size_t batch_size = 16;  // read in one batch from the input
  // If set, the page shows a snapshot: membership, order and lambdas are as of then.
  std::optional<Instant> snapshot = {};
  // Whether a position may hold the remaining elements. False for the input of a reader that asks
  // for many positions.
  bool holds_elements = true;
  // For a snapshot: also return elements that have expired since, so that a reader which counts
  // elements counts as on the first page. That reader leaves expired elements out itself, by their
  // end().
  bool includes_expired = false;

  bool leaves_out(Instant end, Instant now) const {
    return snapshot && !includes_expired && end <= now;
  }
};

// Opens a reader at a position; a missing value is the beginning. Fails with invalid if the
// position does not fit the set.
Result<SetReaderPtr> open_set(Interpreter& run, const SetPtr& set, const SetPosition& position,
                              const ReadOptions& options);

// Visits the elements until `visit` returns false. Their number has no bound of its own: each takes
// a step of the meter.
using VisitElement = std::function<Result<bool>(const FqlValue& element)>;
Result<void> each_element(Interpreter& run, const SetPtr& set, const VisitElement& visit,
                          std::size_t batch_size = 128);
// Fails with value_too_large over limits::fql_elements_max.
Result<FqlArray> all_elements(Interpreter& run, const SetPtr& set);
// The number of elements; if an index is enough, without reading documents.
Result<std::int64_t> count_elements(Interpreter& run, const SetPtr& set);

}  // namespace mayfly::fauna
