// What one commit of the sweeper says of ends that have come: events, the marks up to which all is
// told, the record of what has been purged; of the trash and of those that go there, removals and
// moves as well. Private to db/.
#pragma once

#include <span>
#include <vector>

#include "db/expiry/watermarks.h"
#include "db/purge/purge_log.h"
#include "db/write/transaction_state.h"

namespace mayfly {

// One end that has come, as its queue row tells it.
struct Due {
  Instant turn;  // the end, or the writing of what was dead when it was written
  Instant end;
  Bytes row;
  store::Version row_version;
  keys::Queue queue;
  Bytes key;
  Version version;
  Bytes own_end;  // of the trash's queue: the row of the document's own end, where it has one

  // It ends in the trash: its time there is over, or …
  bool is_of_trash() const { return version.is_removed(); }
  // … its own end has come.
  bool is_own_end_in_trash() const { return is_of_trash() && queue != keys::Queue::trash; }
};

// The rows that record_ends() asks for. Bodies are among them: where they are large, only the first
// of `due` are served, at least one.
struct Needed {
  store::Rows rows;
  std::size_t served = 0;
};
Result<Needed> read_needed(store::Store& store, const Collection& collection,
                           std::span<const Due> due);

// Whether nothing is to be done about a death but to tell of it: its rows are left to compaction.
bool is_only_told(const Collection& collection, const Due& due);

// Makes the batch, as of `now`, before its commit's instant is known. `found` is what
// read_needed() gave for just these; `ends` gets what the sweeper must know. Fails with corrupt.
struct Recorded {
  store::CommitBatch batch;
  std::vector<PurgedVersion> purged;
  Watermarks::Rows marks;                // in the batch; to be advanced to after the commit
  std::vector<std::size_t> events = {};  // which of the batch's puts are events
  std::size_t out_of_trash = 0;          // how many documents leave the trash

  // Sets the commit's instant, which stands in the keys of events.
  void commit_at(Instant at);
};
Result<Recorded> record_ends(const Collection& collection, const std::vector<Due>& due,
                             const store::Rows& found, Instant now,
                             std::vector<ScheduledEnd>& ends);

}  // namespace mayfly
