#include "db/expiry/read_ends.h"

#include <algorithm>
#include <utility>

#include "base/limits.h"

namespace mayfly {
namespace {

// How many of all_queues, counted from the first, hold something other than own ends in the trash.
constexpr std::size_t queues_but_own_ends = published_queues.size() + 1;
static_assert(all_queues[queues_but_own_ends] == keys::Queue::trashed_at);

DueEnd due_of(const Collection& collection, const keys::QueueKey& entry, const store::Row& row) {
  const Version version = version_in_queue(entry, row);
  const bool is_of_trash = entry.queue == keys::Queue::trash;
  const Instant end = is_of_trash ? forgettable_at(version, collection.policy)
                                  : death_of(version, collection.policy);
  // A version that had expired when it was written takes effect at its writing.
  const Instant effective_at = version.is_removed() ? end : std::max(end, version.written_at);
  return {effective_at,   end,
          Bytes(row.key), row.version,
          entry.queue,    Bytes(entry.key),
          version,        own_end_of(collection.id, entry, row.value)};
}

void read_due(const Collection& collection, const store::Page& page, Instant now, DueEnds& ends) {
  bool is_front = true;
  Instant last = now;
  for (std::size_t i = 0; i < page.rows.size(); ++i) {
    const store::Row row = page.rows[i];
    const auto entry = keys::decode_queue(row.key);
    if (!entry) continue;
    if (version_in_queue(*entry, row).is_held) {
      // Its release makes the sweeper read from the start.
      if (is_front) ends.held = Bytes(row.key);
      continue;
    }
    is_front = false;
    DueEnd due = due_of(collection, *entry, row);
    if (due.effective_at > now) {
      ends.next = std::min(ends.next, due.effective_at);
      return;
    }
    last = due.effective_at;
    ends.due.push_back(std::move(due));
  }
  // Rows that have not been read come no earlier.
  if (page.next) ends.next = std::min(ends.next, last);
}

bool is_earlier_end(const DueEnd& a, const DueEnd& b) {
  const bool a_in_trash = a.is_of_trash(), b_in_trash = b.is_of_trash();
  return std::tie(a.effective_at, a_in_trash, a.queue, a.row) <
         std::tie(b.effective_at, b_in_trash, b.queue, b.row);
}

// Every later row ends later.
void read_next(const Collection& collection, const store::Page& page, DueEnds& ends) {
  for (std::size_t i = 0; i < page.rows.size(); ++i) {
    const auto entry = keys::decode_queue(page.rows[i].key);
    if (!entry) continue;
    DueEnd due = due_of(collection, *entry, page.rows[i]);
    if (!due.version.is_held) {
      ends.next = std::min(ends.next, due.effective_at);
      return;
    }
    // If many held documents lie before it: look again when their time would have come.
    const bool is_last = i + 1 == page.rows.size();
    if (!is_last || !page.next || collection.policy.trash.span == Span::infinite()) continue;
    ends.next = std::min(ends.next, due.version.removed_at + collection.policy.trash.span);
  }
}

// The rows of a queue that a read needs: those in [lo, hi) have come, those in [hi, end) have not.
struct QueueRanges {
  Bytes lo;
  Bytes hi;
  Bytes end;
  std::size_t later_rows_max = 1;

  QueueRanges(const Collection& collection, keys::Queue queue, const Bytes& from, Instant now) {
    const Bytes prefix = keys::queue(collection.id, queue);
    const Instant bound = due_before(queue, collection.policy, now);
    lo = std::max(prefix, from);
    hi = std::max(lo, keys::queue(collection.id, queue, bound, {}));
    end = after_prefix(prefix);
    if (queue == keys::Queue::trash) later_rows_max = limits::sweep_held_rows_max;
  }
  store::Range first(bool is_read_once) const {
    return {.lo = lo, .hi = end, .rows_max = later_rows_max, .is_read_once = is_read_once};
  }
  store::Range due() const {
    return {.lo = lo, .hi = hi, .rows_max = limits::sweep_batch_max, .is_read_once = true};
  }
  store::Range later() const { return {.lo = hi, .hi = end, .rows_max = later_rows_max}; }
};

struct QueuePages {
  store::Page due;
  store::Page later;
};

// Most reads find no rows that have come. Then each queue is searched once. The two reads need not
// see one state: of the first one only rows that have not come are used, and whatever adds an
// earlier one meanwhile schedules it. Rows that have come are guarded by the commit that records
// them.
Result<std::vector<QueuePages>> read_queues(store::Store& store,
                                            const std::vector<QueueRanges>& queues,
                                            bool expects_some) {
  store::ReadBatch firsts;
  for (const QueueRanges& queue : queues) firsts.scans.push_back(queue.first(expects_some));
  store::ReadReply found = TRY(store.read(firsts, nullptr));
  std::vector<QueuePages> pages(queues.size());
  store::ReadBatch due;
  std::vector<QueuePages*> with_due;
  for (std::size_t i = 0; i < queues.size(); ++i) {
    store::Page& first = found.scans[i];
    if (first.rows.empty() || first.rows[0].key >= queues[i].hi) {
      pages[i].later = std::move(first);
      continue;
    }
    with_due.push_back(&pages[i]);
    due.scans.push_back(queues[i].due());
    due.scans.push_back(queues[i].later());
  }
  if (with_due.empty()) return pages;
  store::ReadReply rest = TRY(store.read(due, nullptr));
  for (std::size_t i = 0; i < with_due.size(); ++i) {
    *with_due[i] = {std::move(rest.scans[2 * i]), std::move(rest.scans[2 * i + 1])};
  }
  return pages;
}

}  // namespace

std::size_t queue_index(keys::Queue queue) {
  const auto place = std::find(all_queues.begin(), all_queues.end(), queue);
  return static_cast<std::size_t>(place - all_queues.begin());
}

Instant due_before(keys::Queue queue, const Policy& policy, Instant now) {
  switch (queue) {
    case keys::Queue::at:
    case keys::Queue::trashed_at: return now + Span{1};
    case keys::Queue::after:
    case keys::Queue::trashed_after: return after_live_from(policy, now);
    case keys::Queue::inherit:
    case keys::Queue::trashed_inherit: return inherit_live_from(policy, now);
    case keys::Queue::trash: break;
  }
  return policy.trash.floor(now) + Span{1};
}

void keep_first(DueEnds& ends, std::size_t ends_max) {
  if (ends.due.size() <= ends_max) return;
  ends.next = std::min(ends.next, ends.due[ends_max].effective_at);
  ends.due.resize(ends_max);
}

Watermarks::Rows watermarks_behind_expired(const Collection& collection, Instant t) {
  Watermarks::Rows watermarks;
  for (std::size_t i = 0; i < published_queues.size(); ++i) {
    const Instant bound = due_before(published_queues[i], collection.policy, t);
    if (bound == Instant::beginning()) continue;
    watermarks[i] = keys::queue(collection.id, published_queues[i], bound, {});
  }
  return watermarks;
}

bool leaves_ends_to_compaction(const Policy& policy) {
  return !policy.publishes_ends() && policy.expired_to_trash_since.is_never();
}

Result<DueEnds> read_ends(store::Store& store, const Collection& collection,
                          const QueuePositions& from, const EndsExpected& expected, Instant now) {
  const bool reads_own_ends = expected.own_end_in_trash <= now;
  const std::size_t count = reads_own_ends ? all_queues.size() : queues_but_own_ends;
  std::vector<QueueRanges> queues;
  for (std::size_t i = 0; i < count; ++i) {
    queues.emplace_back(collection, all_queues[i], from[i], now);
  }
  const std::vector<QueuePages> pages = TRY(read_queues(store, queues, expected.some));
  DueEnds ends;
  for (std::size_t i = 0; i < count; ++i) {
    const Instant next = std::exchange(ends.next, Instant::never());
    const std::size_t due = ends.due.size();
    read_due(collection, pages[i].due, now, ends);
    read_next(collection, pages[i].later, ends);
    if (i >= queues_but_own_ends) {
      const Instant first = ends.due.size() > due ? ends.due[due].effective_at : ends.next;
      ends.own_end_in_trash = std::min(ends.own_end_in_trash, first);
    }
    ends.next = std::min(ends.next, next);
  }
  if (!reads_own_ends) {
    ends.own_end_in_trash = expected.own_end_in_trash;
    ends.next = std::min(ends.next, expected.own_end_in_trash);
  }
  // Within a queue this is the order of its rows, so that a batch takes the front of each queue. At
  // one instant, expirations come before documents that leave the trash. The rows of one queue are
  // read in that order already.
  if (!std::ranges::is_sorted(ends.due, is_earlier_end))
    std::ranges::sort(ends.due, is_earlier_end);
  return ends;
}

}  // namespace mayfly
