// Reads the ends that have come from a collection's queues. Private to db/.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "db/expiry/record_ends.h"

namespace mayfly {

// Queues with a watermark come first, in the order of published_queues.
inline constexpr std::array all_queues{keys::Queue::at,
                                       keys::Queue::after,
                                       keys::Queue::inherit,
                                       keys::Queue::trash,
                                       keys::Queue::trashed_at,
                                       keys::Queue::trashed_after,
                                       keys::Queue::trashed_inherit};
static_assert(std::equal(published_queues.begin(), published_queues.end(), all_queues.begin()));
// A position in each of these queues.
using QueuePositions = std::array<Bytes, all_queues.size()>;
std::size_t queue_index(keys::Queue queue);

// The first rows of each queue, and where to look next time.
struct DueEnds {
  std::vector<DueEnd>
      due;  // in the order of their effective times; at most sweep_batch_max of each queue
  Instant next = Instant::never();
  Instant own_end_in_trash = Instant::never();  // the earliest one; it may be among `due`
  Bytes held;  // the last of the held documents at the front of the trash's queue
};

// Keeps the first `ends_max` ends, and updates when the next one comes.
void keep_first(DueEnds& ends, std::size_t ends_max);

// The rows of a queue that have come by `now` are those before this instant.
Instant due_before(keys::Queue queue, const Policy& policy, Instant now);

// Watermarks behind all documents that have expired at `t`; empty for a queue in which none can
// have expired.
Watermarks::Rows watermarks_behind_expired(const Collection& collection, Instant t);
// Whether the collection publishes no ends and does nothing else about expired documents.
bool leaves_ends_to_compaction(const Policy& policy);

// What is known before a read.
struct EndsExpected {
  Instant own_end_in_trash;  // no own end in the trash comes before it
  bool some = false;         // ends have probably come
};

// Reads from `from` on; an empty position is the beginning of its queue. Reads the rows that have
// come, and one more row of each queue, so that a read that finds nothing costs the same however
// many rows there are: one search of each queue. The queues of own ends in the trash are not read
// before the first of them comes. (Those queues are emptied in another order than their own, so
// reading them skips over removed rows.)
Result<DueEnds> read_ends(store::Store& store, const Collection& collection,
                          const QueuePositions& from, const EndsExpected& expected, Instant now);

}  // namespace mayfly
