// FaultyStore: injects faults. A test that repeats the same work with the 1st, 2nd, 3rd … call
// failing, until no call fails any more, has tested every single fault.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "store/wrappers/forward.h"

namespace mayfly::store {

enum class StoreOperation { read, commit };  // a get() is a read

// Threads: all members may be called from any thread.
class FaultyStore final : public Forward {
 public:
  using Forward::Forward;

  // The nth call of that kind from now on (the next one is the 1st) fails once with `code`, and
  // does nothing. A second fault for the same kind replaces the first.
  void fail_nth(StoreOperation kind, std::uint64_t nth, Code code);
  // Every call of that kind fails with `code`, until clear().
  void fail_all(StoreOperation kind, Code code);
  void clear();
  // How many calls have failed by an injected fault.
  std::uint64_t failures() const;

  Result<ReadReply> read(const ReadBatch& batch, const Snapshot* snapshot) override;
  Result<Version> get(BytesView key, Bytes& value, const Snapshot* snapshot) override;
  Result<void> commit(const CommitBatch& batch) override;

 private:
  struct Fault {
    std::uint64_t calls_left = 0;  // calls that succeed first
    bool lasts = false;
    Code code = Code::internal;
  };

  std::optional<Fault>& fault_of(StoreOperation kind) {
    return kind == StoreOperation::read ? read_fault_ : commit_fault_;
  }
  Result<void> fail_if_due(StoreOperation kind);

  mutable std::mutex mutex_;
  std::optional<Fault> read_fault_;
  std::optional<Fault> commit_fault_;
  std::uint64_t failures_ = 0;
};

}  // namespace mayfly::store
