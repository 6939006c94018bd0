// RecentWrites: the keys that the last commits wrote. It answers the most frequent question of a
// guard, "was nothing of this written since I read it?", without reading the rows. It may answer
// "not sure", but never a wrong yes.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "base/bytes.h"
#include "store/store.h"

namespace mayfly::store {

// Threads: the caller must lock.
class RecentWrites {
 public:
  // Remembers `keys_max` writes. Knows nothing about the commits up to `begin`.
  RecentWrites(std::size_t keys_max, Version begin);

  void add(const CommitBatch& batch);
  // Rows have changed without a commit: no answer about a state up to `version` is sure.
  void invalidate(Version version);

  // True: no commit after `since` wrote the key.
  bool unwritten_since(Version since, BytesView key) const;
  // True: no commit after `since` wrote in the range. Not sure if it would have to check more than
  // `writes_max` writes.
  bool unwritten_since(Version since, const RangeGuard& range, std::size_t writes_max) const;

 private:
  struct Write {
    Version version;
    Bytes key;
  };

  void add(Version version, const Bytes& key);
  std::size_t slot_of(BytesView key) const;

  const std::size_t keys_max_;
  // For points: the newest version written to any key whose hash maps to the slot. No write is
  // dropped; a shared slot only makes answers unsure. Empty until the first write.
  std::vector<Version> slots_;
  Version slots_know_after_;
  // For ranges: the last writes, oldest first.
  std::deque<Write> writes_;
  Version writes_know_after_;
};

}  // namespace mayfly::store
