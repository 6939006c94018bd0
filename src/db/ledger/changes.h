// What one commit changes in a collection's ledger of ends: how many more or fewer living documents
// end in a second (slots.h). It is written as one row in the same commit; a job adds the rows up to
// slots (ledger.h).
//
//   changes  := (order(1 byte) second(zigzag varint) by(zigzag varint))*
//               sorted by order and second; behind another one of the same order, `second` is the
//               difference to that
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "db/rows/keys.h"
#include "lifetime/lifetime.h"

namespace mayfly::ledger {

struct CountChange {
  keys::EndOrder order;
  std::int64_t second = 0;  // 0 where the order is `never`
  std::int64_t by = 0;
};

class Changes {
 public:
  // A version becomes (+1) or ceases to be (-1) the living one of its document. `end`: its position
  // in its queue.
  void add(keys::EndOrder order, Instant end, std::int64_t by);
  // Adds up the changes of each order and second, and drops those that cancel out. Returns how many
  // are left.
  std::size_t sum_up();
  Bytes encode() const;

 private:
  std::vector<CountChange> changes_;
};

// Fails with corrupt.
Result<std::vector<CountChange>> decode_changes(BytesView value);

}  // namespace mayfly::ledger
