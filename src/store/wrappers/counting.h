// CountingStore: counts the calls across the boundary, so that tests can hold a request to its
// budget of round trips.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "store/wrappers/forward.h"

namespace mayfly::store {

// Calls since the last reset. A get() is a read too: each read, get() or commit is one round trip.
struct Counts {
  std::uint64_t reads = 0;      // calls of read() and get()
  std::uint64_t gets = 0;       // keys requested in them
  std::uint64_t scans = 0;      // ranges requested in them
  std::uint64_t rows = 0;       // rows returned from scans
  std::uint64_t snapshots = 0;  // calls of snapshot()
  std::uint64_t commits = 0;    // calls of commit(), including failed ones
  std::uint64_t syncs = 0;      // calls of sync(), even if there was nothing to flush

  bool operator==(const Counts&) const = default;
};

// Threads: all members may be called from any thread.
class CountingStore final : public Forward {
 public:
  using Forward::Forward;

  Counts counts() const;
  void reset();

  Result<ReadReply> read(const ReadBatch& batch, const Snapshot* snapshot) override;
  Result<Version> get(BytesView key, Bytes& value, const Snapshot* snapshot) override;
  SnapshotPtr snapshot() override;
  Result<void> commit(const CommitBatch& batch) override;
  void sync(Version version) override;

 private:
  std::atomic<std::uint64_t> reads_{0}, gets_{0}, scans_{0}, rows_{0};
  std::atomic<std::uint64_t> snapshots_{0}, commits_{0}, syncs_{0};
};

}  // namespace mayfly::store
