#include "store/rocks/engine/recent_writes.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace mayfly::store {

RecentWrites::RecentWrites(std::size_t keys_max, Version begin)
    : keys_max_(std::max<std::size_t>(keys_max, 1)),
      slots_know_after_(begin),
      writes_know_after_(begin) {}

std::size_t RecentWrites::slot_of(BytesView key) const {
  return std::hash<BytesView>{}(key) & (slots_.size() - 1);
}

void RecentWrites::add(Version version, const Bytes& key) {
  slots_[slot_of(key)] = version;
  if (writes_.size() == keys_max_) {
    writes_know_after_ = writes_.front().version;
    writes_.pop_front();
  }
  writes_.push_back({version, key});
}

void RecentWrites::add(const CommitBatch& batch) {
  if (slots_.empty()) slots_.resize(std::bit_ceil(keys_max_));
  for (const Put& put : batch.puts) add(batch.version, put.key);
  for (const Bytes& key : batch.removals) add(batch.version, key);
}

void RecentWrites::invalidate(Version version) {
  writes_.clear();
  writes_know_after_ = version + 1;
  slots_know_after_ = version + 1;
}

bool RecentWrites::unwritten_since(Version since, BytesView key) const {
  if (since < slots_know_after_) return false;
  return slots_.empty() || slots_[slot_of(key)] <= since;
}

bool RecentWrites::unwritten_since(Version since, const RangeGuard& range,
                                   std::size_t writes_max) const {
  if (since < writes_know_after_) return false;
  for (auto write = writes_.rbegin(); write != writes_.rend(); ++write) {
    if (write->version <= since) return true;
    if (writes_max-- == 0) return false;
    if (write->key >= range.lo && (range.hi.empty() || write->key < range.hi)) return false;
  }
  return true;
}

}  // namespace mayfly::store
