// FaultyStore: fails on cue. A test that runs the same work with the 1st, 2nd, 3rd … call failing,
// until no call is left to fail, has seen every single fault.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "store/wrappers/forward.h"

namespace mayfly::store {

enum class Call { read, commit };  // a get() is a read

// Threads: all members may be called from any thread.
class FaultyStore final : public Forward {
 public:
  using Forward::Forward;

  // The nth call of that kind from now on (the next one is the 1st) fails once with `code`, and
  // does nothing. A second cue for the same kind replaces the first.
  void fail_nth(Call kind, std::uint64_t nth, Code code);
  // Every call of that kind fails with `code`, until clear().
  void fail_all(Call kind, Code code);
  void clear();
  // How many calls have failed on cue.
  std::uint64_t failures() const;

  Result<ReadReply> read(const ReadBatch& batch, const Snapshot* snapshot) override;
  Result<Version> get(BytesView key, Bytes& value, const Snapshot* snapshot) override;
  Result<void> commit(const CommitBatch& batch) override;

 private:
  struct Cue {
    std::uint64_t calls_left = 0;  // calls to let through first
    bool lasts = false;
    Code code = Code::internal;
  };

  std::optional<Cue>& cue_of(Call kind) { return kind == Call::read ? read_cue_ : commit_cue_; }
  Result<void> pass(Call kind);

  mutable std::mutex mutex_;
  std::optional<Cue> read_cue_;
  std::optional<Cue> commit_cue_;
  std::uint64_t failures_ = 0;
};

}  // namespace mayfly::store
