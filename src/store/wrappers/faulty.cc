#include "store/wrappers/faulty.h"

#include "base/check.h"

namespace mayfly::store {

void FaultyStore::fail_nth(StoreOperation kind, std::uint64_t nth, Code code) {
  CHECK(nth > 0);
  const std::lock_guard lock(mutex_);
  fault_of(kind) = Fault{.calls_left = nth - 1, .code = code};
}

void FaultyStore::fail_all(StoreOperation kind, Code code) {
  const std::lock_guard lock(mutex_);
  fault_of(kind) = Fault{.lasts = true, .code = code};
}

void FaultyStore::clear() {
  const std::lock_guard lock(mutex_);
  read_fault_.reset();
  commit_fault_.reset();
}

std::uint64_t FaultyStore::failures() const {
  const std::lock_guard lock(mutex_);
  return failures_;
}

Result<void> FaultyStore::fail_if_due(StoreOperation kind) {
  const std::lock_guard lock(mutex_);
  std::optional<Fault>& fault = fault_of(kind);
  if (!fault) return {};
  if (fault->calls_left > 0) {
    --fault->calls_left;
    return {};
  }
  const Code code = fault->code;
  if (!fault->lasts) fault.reset();
  ++failures_;
  return fail(code, "failed on cue");
}

Result<ReadReply> FaultyStore::read(const ReadBatch& batch, const Snapshot* snapshot) {
  TRY(fail_if_due(StoreOperation::read));
  return inner().read(batch, snapshot);
}

Result<Version> FaultyStore::get(BytesView key, Bytes& value, const Snapshot* snapshot) {
  TRY(fail_if_due(StoreOperation::read));
  return inner().get(key, value, snapshot);
}

Result<void> FaultyStore::commit(const CommitBatch& batch) {
  TRY(fail_if_due(StoreOperation::commit));
  return inner().commit(batch);
}

}  // namespace mayfly::store
