// What one commit of the sweeper writes for ends that have come: events, the watermarks up to which
// all ends are published, and the record of purges; for the trash and for documents that go there,
// removals and moves as well. Private to db/.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "db/expiry/watermarks.h"
#include "db/feed/logged_ends.h"
#include "db/purge/purge_log.h"
#include "db/write/transaction_state.h"

namespace mayfly {

// One end that has come, decoded from its queue row.
struct DueEnd {
  Instant effective_at;  // the end, or the instant of writing of a version that had expired by then
  Instant end;
  Bytes row;
  store::Version row_version;
  keys::Queue queue;
  Bytes key;
  Version version;
  Bytes own_end;  // in the trash's queue: the row of the document's own end, if it has one

  // It ends in the trash: its time there is over, or …
  bool is_of_trash() const { return version.is_removed(); }
  // … its own end has come.
  bool is_own_end_in_trash() const { return is_of_trash() && queue != keys::Queue::trash; }
};

// The rows that record_ends() needs, among them bodies: if these are large, only the first of `due`
// are served, at least one.
struct NeededRows {
  store::Rows rows;
  std::size_t served = 0;
};
Result<NeededRows> read_needed(store::Store& store, const Collection& collection,
                               std::span<const DueEnd> due);

// Whether an expiration only has to be published: its rows are then left to compaction.
bool is_only_published(const Collection& collection, const DueEnd& due);

// The batch that records some ends.
struct RecordedEnds {
  store::CommitBatch batch;
  std::vector<PurgedVersion> purged;
  Watermarks::Rows watermarks;            // in the batch; to be advanced to after the commit
  std::vector<std::size_t> events = {};   // which puts of the batch are events, or logged ends
  std::optional<LoggedEnds> logged = {};  // the first row of logged ends
  std::size_t out_of_trash = 0;           // how many documents leave the trash

  // Sets the commit's instant, which is part of the keys of events.
  void commit_at(Instant at);
};
// Makes the batch as of `now`, before the instant of its commit is known. `found` is the result of
// read_needed() for exactly these ends; `published` are the watermarks so far; `ends` gets the ends
// that the sweeper must schedule. Fails with corrupt.
Result<RecordedEnds> record_ends(const Collection& collection, const std::vector<DueEnd>& due,
                                 const store::Rows& found, const Watermarks::Rows& published,
                                 Instant now, std::vector<ScheduledEnd>& ends);

}  // namespace mayfly
