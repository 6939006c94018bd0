// Kill points: places at which a crash leaves something worth a test. A process told so by
// MAYFLY_KILL_AT=NAME:N dies at its Nth passing of the place of that name, as `kill -9` would have
// it: no destructor runs, no buffer is flushed. They are always compiled in, so that what is tested
// is what is shipped; unarmed, a passing costs one relaxed load.
//
// test/crash kills a server at each of them.
#pragma once

#include <atomic>
#include <cstddef>
#include <iterator>
#include <string_view>

#include "base/result.h"

namespace mayfly {

// Every kill point there is, in the order in which a server meets them. A name that is not here
// does not compile.
inline constexpr std::string_view kill_points[] = {
    "store.opening",                    // the directory is there, RocksDB has not been asked
    "store.opened",                     // RocksDB is open, its log replayed
    "store.marking",                    // our own file is written under another name
    "store.marked",                     // and renamed
    "database.begun",                   // a new store has its format, not yet synced
    "database.read",                    // the catalog is read, nothing is repaired
    "database.repaired",                // what an earlier crash left half done is done
    "commit.begun",                     // a commit has its instant
    "commit.built",                     // its batch is made
    "commit.before_wal",                // its guards hold
    "commit.after_wal",                 // it is in the log's buffer; nobody can read it yet
    "commit.visible",                   // readers see it, the sweeper does not know of it
    "commit.noted",                     // the sweeper knows
    "sync.before",                      // the log is about to be written and flushed
    "sync.after",                       // it is on disk, and nobody has been told
    "sync.told",                        // those who waited are being woken
    "answer.before_sync",               // answers wait for the disk
    "answer.leaving",                   // they may leave, none has
    "answer.left",                      // the first of them has
    "sweep.found",                      // deaths have come, their rows are read
    "sweep.between_event_and_removal",  // a death's event is in a batch, what says so is not
    "sweep.committed",                  // the batch is applied
    "sweep.remembered",                 // and the sweeper's mark has moved
    "feed.before_sync",                 // a reader of the feed asks for what is durable
    "feed.synced",
    "clock.persisted",  // the clock's floor is committed
    "clock.synced",
    "catalog.before_commit",  // a change of the catalog is built
    "catalog.committed",      // it is in the store, readers have the old one
    "catalog.published",
    "index.made",             // a new index is in the catalog, and empty
    "index.page_filled",      // some documents are in it
    "index.filled",           // all are, and it is not ready
    "drop.begun",             // a dropped collection's rows are about to go
    "drop.between_tables",    // some of its tables are gone
    "drop.erased",            // all are; the note that they must go still stands
    "erase.tombstone",        // a range's tombstone is written, its files are there
    "erase.files_gone",       // files of that range alone are gone; not yet synced
    "compaction.begun",       // a compaction has made its filter
    "compaction.forgetting",  // it leaves out a row that nobody can see any more
    "compaction.filtered",    // it has passed all rows
    "stop.drained",           // the server has answered all it had taken
    "stop.clock_persisted",
    "close.begun",            // the store is being closed
    "close.buffers_flushed",  // its buffers are files
    "close.synced",
};
inline constexpr std::size_t kill_point_count = std::size(kill_points);

// Its row. Fails to compile for a name that has none.
consteval std::size_t kill_point(std::string_view name) {
  for (std::size_t i = 0; i < kill_point_count; ++i) {
    if (kill_points[i] == name) return i;
  }
  throw "kill_points has no such row";
}

// What MAYFLY_KILL_AT says: "NAME:N", N from 1 on; null or empty arms nothing. Fails with invalid,
// naming every kill point there is. Before there are other threads.
Result<void> arm_kill_point(const char* text);

namespace detail {
extern std::atomic<std::size_t> armed_kill_point;  // kill_point_count: none
void count_passing();
}  // namespace detail

inline void pass_kill_point(std::size_t point) {
  if (detail::armed_kill_point.load(std::memory_order_relaxed) != point) [[likely]]
    return;
  detail::count_passing();
}

#define KILL_POINT(name)                                               \
  do {                                                                 \
    constexpr std::size_t kill_point_row = ::mayfly::kill_point(name); \
    ::mayfly::pass_kill_point(kill_point_row);                         \
  } while (false)

}  // namespace mayfly
