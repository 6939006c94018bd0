#include "store/wrappers/faulty.h"

#include "base/check.h"

namespace mayfly::store {

void FaultyStore::fail_nth(Call kind, std::uint64_t nth, Code code) {
  CHECK(nth > 0);
  const std::lock_guard lock(mutex_);
  cue_of(kind) = Cue{.calls_left = nth - 1, .code = code};
}

void FaultyStore::fail_all(Call kind, Code code) {
  const std::lock_guard lock(mutex_);
  cue_of(kind) = Cue{.lasts = true, .code = code};
}

void FaultyStore::clear() {
  const std::lock_guard lock(mutex_);
  read_cue_.reset();
  commit_cue_.reset();
}

std::uint64_t FaultyStore::failures() const {
  const std::lock_guard lock(mutex_);
  return failures_;
}

Result<void> FaultyStore::pass(Call kind) {
  const std::lock_guard lock(mutex_);
  std::optional<Cue>& cue = cue_of(kind);
  if (!cue) return {};
  if (cue->calls_left > 0) {
    --cue->calls_left;
    return {};
  }
  const Code code = cue->code;
  if (!cue->lasts) cue.reset();
  ++failures_;
  return fail(code, "failed on cue");
}

Result<ReadReply> FaultyStore::read(const ReadBatch& batch, const Snapshot* snapshot) {
  TRY(pass(Call::read));
  return inner().read(batch, snapshot);
}

Result<Version> FaultyStore::get(BytesView key, Bytes& value, const Snapshot* snapshot) {
  TRY(pass(Call::read));
  return inner().get(key, value, snapshot);
}

Result<void> FaultyStore::commit(const CommitBatch& batch) {
  TRY(pass(Call::commit));
  return inner().commit(batch);
}

}  // namespace mayfly::store
