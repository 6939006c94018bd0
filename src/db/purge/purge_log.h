// The record of what has been purged from a collection that keeps one: what, when, how, by whom;
// each record bound to the one before it by a hash, so that none can be changed or left out unseen.
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
  Instant written_at;   // of what the sweeper takes out of the trash: when it came there
  Instant ended_at;     // its death or removal
  std::string by = {};  // who did it; empty: nobody, its time had come
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
  // Adds the record of what one commit purges to its batch, with a guard that no other has its
  // number. The chain goes on behind it only once confirm() says so.
  Result<void> append(store::Store& store, const Collection& collection, Instant at,
                      const std::vector<PurgedVersion>& purged, store::CommitBatch& batch);
  // The commit of that batch has succeeded, or not.
  void confirm(CollectionId collection, bool has_succeeded);
  // The collection is gone: nothing of it is kept in memory.
  void forget(CollectionId collection);

  // Records after that number, oldest first, as far as they are kept at `now` and durable: what has
  // been shown is never made again with another hash.
  static Result<PurgePage> read(store::Store& store, const Collection& collection, Instant now,
                                std::uint64_t after, std::size_t records_max);
  // Whether the lines follow one another unchanged. The first one's `previous` is taken as it is.
  static bool verify(const std::vector<PurgeRecord>& records);

 private:
  struct Tail {
    std::uint64_t number = 0;
    std::string hash;
  };
  Result<Tail> tail_of(store::Store& store, CollectionId collection);

  std::map<CollectionId, Tail> tails_;    // of commits that have succeeded
  std::map<CollectionId, Tail> pending_;  // of the commit under way
};

}  // namespace mayfly
