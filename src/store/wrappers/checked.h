// CheckedStore: checks both sides of the contract in store.h, the caller's obligations before each
// call and the engine's after it. A violation stops the program. For tests. Threads: any.
#pragma once

#include <memory>

#include "store/wrappers/forward.h"

namespace mayfly::store {

class CheckedStore final : public Forward {
 public:
  using Forward::Forward;

  Result<ReadReply> read(const ReadBatch& batch, const Snapshot* snapshot) override;
  Result<Version> get(BytesView key, Bytes& value, const Snapshot* snapshot) override;
  SnapshotPtr snapshot() override;
  Result<void> commit(const CommitBatch& batch) override;
  void sync(Version version) override;
  Result<void> erase_range(BytesView lo, BytesView hi) override;
  Result<void> compact(BytesView lo, BytesView hi) override;
  Result<Backup> backup(const std::string& directory) override;
};

}  // namespace mayfly::store
