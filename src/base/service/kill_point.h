// Kill points: places at which a crash leaves a state worth a test. With MAYFLY_KILL_AT=NAME:N the
// process dies when it reaches the place of that name for the Nth time, as by `kill -9`: no
// destructor runs, no buffer is flushed. They are always compiled in, so that the tested binary is
// the shipped one. While unarmed, one costs a relaxed load.
//
// test/crash kills a server at each of them.
#pragma once

#include <atomic>
#include <cstddef>
#include <iterator>
#include <string_view>

#include "base/result.h"

namespace mayfly {

// Every kill point, roughly in the order in which a server reaches them. The comment says what has
// happened when the place is reached. Code that uses another name does not compile.
inline constexpr std::string_view kill_points[] = {
    "store.opening",                    // the directory exists, RocksDB is not open yet
    "store.opened",                     // RocksDB is open, its log replayed
    "store.marking",                    // our own file is written under a temporary name
    "store.marked",                     // and renamed
    "database.begun",                   // a new store has its format, not yet synced
    "database.read",                    // the catalog is read, nothing is repaired
    "database.repaired",                // the leftovers of an earlier crash are repaired
    "commit.begun",                     // a commit has its instant
    "commit.built",                     // its batch is made
    "commit.before_wal",                // its guards hold
    "commit.after_wal",                 // it is in the log's buffer; no reader sees it yet
    "commit.visible",                   // readers see it, the sweeper is not informed
    "commit.scheduled",                 // the sweeper is informed
    "sync.before",                      // the log is about to be written and flushed
    "sync.after",                       // it is on disk, and no waiting thread knows it
    "sync.durable",                     // the waiting threads are being woken
    "answer.before_sync",               // responses wait for the disk
    "answer.leaving",                   // they may be sent, none has been
    "answer.left",                      // the first of them has been sent
    "sweep.found",                      // expirations are due, their rows are read
    "sweep.between_event_and_removal",  // the event is in a batch, the removal is not
    "sweep.committed",                  // the batch is applied
    "sweep.remembered",                 // and the sweeper's watermark in memory has advanced
    "feed.before_sync",                 // a reader of the feed requests durable events
    "feed.synced",
    "clock.persisted",  // the clock's floor is committed
    "clock.synced",
    "catalog.before_commit",  // a change of the catalog is built
    "catalog.committed",      // it is in the store, readers still use the old one
    "catalog.published",
    "index.made",             // a new index is in the catalog, and empty
    "index.page_filled",      // some documents are in it
    "index.filled",           // all are, and it is not ready
    "drop.begun",             // a dropped collection's rows are about to be erased
    "drop.between_tables",    // some of its tables are erased
    "drop.erased",            // all are; the record that they must be erased remains
    "erase.tombstone",        // a range's tombstone is written, its files still exist
    "erase.files_gone",       // files with rows of that range only are deleted; not yet synced
    "compaction.begun",       // a compaction has made its filter
    "compaction.forgetting",  // it drops a row that no reader can see any more
    "compaction.filtered",    // it has filtered all rows
    "stop.drained",           // the server has answered all requests that it had accepted
    "stop.clock_persisted",
    "close.begun",            // the store is being closed
    "close.buffers_flushed",  // its write buffers are flushed to files
    "close.synced",
};
inline constexpr std::size_t kill_point_count = std::size(kill_points);

// The index of its row. Does not compile for an unknown name.
consteval std::size_t kill_point(std::string_view name) {
  for (std::size_t i = 0; i < kill_point_count; ++i) {
    if (kill_points[i] == name) return i;
  }
  throw "kill_points has no such row";
}

// Parses MAYFLY_KILL_AT: "NAME:N", N from 1 on; null or empty arms nothing. Fails with invalid,
// naming every kill point. Call it before other threads start.
Result<void> arm_kill_point(const char* text);

namespace detail {
extern std::atomic<std::size_t> armed_kill_point;  // kill_point_count: none
void count_pass();
}  // namespace detail

inline void pass_kill_point(std::size_t point) {
  if (detail::armed_kill_point.load(std::memory_order_relaxed) != point) [[likely]]
    return;
  detail::count_pass();
}

#define KILL_POINT(name)                                               \
  do {                                                                 \
    constexpr std::size_t kill_point_row = ::mayfly::kill_point(name); \
    ::mayfly::pass_kill_point(kill_point_row);                         \
  } while (false)

}  // namespace mayfly
