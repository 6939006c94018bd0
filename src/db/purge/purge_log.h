// The record of purges of a collection that keeps one: what was purged, when, how, and by which
// user. Each record contains a hash of the one before it, so that none can be changed or omitted
// unnoticed.
//
// A record is one line of JSON. Its `hash` is the SHA-256 of the line up to, not including,
// `,"hash":`; `previous` is the hash of the record before.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "db/catalog/catalog.h"
#include "db/rows/document.h"
#include "store/store.h"

namespace mayfly {

struct PurgedVersion {
  enum class How { expired, out_of_trash, removed, erased };
  How how;
  Bytes key;            // encoded
  Instant written_at;   // for a version that the sweeper purges from the trash: when it came there
  Instant ended_at;     // its death or removal
  std::string by = {};  // the user who did it; empty: it expired or its time in the trash was over
};

struct PurgeRecord {
  std::uint64_t number = 0;
  std::string line;
};
struct PurgePage {
  std::vector<PurgeRecord> records;
  bool has_more = false;
};

// Threads: append(), confirm() and forget() under the commit mutex; the others any.
class PurgeLog {
 public:
  // Adds the record of the purges of one commit to its batch, with a guard that no other commit has
  // used its number. Later records follow it only once confirm() has been called.
  Result<void> append(store::Store& store, const Collection& collection, Instant at,
                      const std::vector<PurgedVersion>& purged, store::CommitBatch& batch);
  // Reports whether the commit of that batch has succeeded.
  void confirm(CollectionId collection, bool has_succeeded);
  // The collection is gone: nothing about it stays in memory.
  void forget(CollectionId collection);

  // Records after that number, oldest first, as far as they are kept at `now` and durable: a record
  // that has been shown is never made again with another hash.
  static Result<PurgePage> read(store::Store& store, const Collection& collection, Instant now,
                                std::uint64_t after, std::size_t records_max);
  // Whether the lines form an unchanged chain. The `previous` of the first one is not checked.
  static bool verify(const std::vector<PurgeRecord>& records);

 private:
  struct Tail {
    std::uint64_t number = 0;
    std::string hash;
  };
  Result<Tail> tail_of(store::Store& store, CollectionId collection);

  std::map<CollectionId, Tail> tails_;    // of commits that have succeeded
  std::map<CollectionId, Tail> pending_;  // of the commit in progress
};

}  // namespace mayfly
