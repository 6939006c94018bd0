// The ends that have come, out of a collection's queues. Private to db/.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "db/expiry/record_ends.h"

namespace mayfly {

// Those that have marks first, in their order.
inline constexpr std::array all_queues{keys::Queue::at,
                                       keys::Queue::after,
                                       keys::Queue::inherit,
                                       keys::Queue::trash,
                                       keys::Queue::trashed_at,
                                       keys::Queue::trashed_after,
                                       keys::Queue::trashed_inherit};
static_assert(std::equal(published_queues.begin(), published_queues.end(), all_queues.begin()));
// A place in each of them.
using QueuePlaces = std::array<Bytes, all_queues.size()>;
std::size_t place_of(keys::Queue queue);

// The first rows of each queue, and where to look next time.
struct Ends {
  std::vector<Due> due;  // in the order of their turns; at most sweep_batch_max of each queue
  Instant next = Instant::never();
  Instant own_end_in_trash = Instant::never();  // the earliest one, which may be among the due
  Bytes held;  // the last of the held documents that the trash's queue begins with
};

// Leaves the first `ends_max` of them, and when the next comes.
void take_front(Ends& ends, std::size_t ends_max);

// The rows of a queue that have come by `now` are those before this instant.
Instant due_before(keys::Queue queue, const Policy& policy, Instant now);

// Marks behind all who are dead at `t`; empty where nobody can be.
Watermarks::Rows watermarks_behind_expired(const Collection& collection, Instant t);
// Nobody is to be told of a death, nor is anything to be done about it.
bool is_silent(const Policy& policy);

// Looks from `from` on; an empty place is the beginning of its queue. Reads the rows that have come
// and of each queue one behind them, so that to find nothing costs the same whatever there is. No
// own end in the trash comes before `own_end_in_trash`: until then its queues are not read. (They
// are emptied in another order than theirs, so a look passes over what has been removed.)
Result<Ends> read_ends(store::Store& store, const Collection& collection, const QueuePlaces& from,
                       Instant own_end_in_trash, Instant now);

}  // namespace mayfly
