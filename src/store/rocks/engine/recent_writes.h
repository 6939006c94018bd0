// RecentWrites: which keys the last commits wrote. It answers the one question a guard asks nearly
// always, "was nothing of this written since I read it?", without a look at the rows. It may say
// "not sure"; it never says yes wrongly.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "base/bytes.h"
#include "store/store.h"

namespace mayfly::store {

// Threads: the caller locks.
class RecentWrites {
 public:
  // Remembers `keys_max` writes. Knows nothing of the commits up to `begin`.
  RecentWrites(std::size_t keys_max, Version begin);

  void add(const CommitBatch& batch);
  // Rows have changed without a commit: nothing is sure of any state up to `version`.
  void doubt(Version version);

  // True: no commit after `since` wrote the key.
  bool unwritten_since(Version since, BytesView key) const;
  // True: no commit after `since` wrote in the range. Gives up, and is not sure, when more than
  // `writes_max` writes would have to be looked through.
  bool unwritten_since(Version since, const RangeGuard& range, std::size_t writes_max) const;

 private:
  struct Write {
    Version version;
    Bytes key;
  };

  void add(Version version, const Bytes& key);
  std::size_t slot_of(BytesView key) const;

  const std::size_t keys_max_;
  // For points: the newest version written to any key whose hash falls on the slot. Nothing is ever
  // forgotten, and a shared slot only makes an answer unsure. Empty until the first write.
  std::vector<Version> slots_;
  Version slots_know_after_;
  // For ranges: the last writes, oldest first.
  std::deque<Write> writes_;
  Version writes_know_after_;
};

}  // namespace mayfly::store
