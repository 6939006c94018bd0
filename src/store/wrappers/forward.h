// Forward: a store that forwards every call to another one. The wrappers (checked, faulty,
// counting) override some calls and inherit the rest.
#pragma once

#include <memory>
#include <utility>

#include "store/store.h"

namespace mayfly::store {

class Forward : public Store {
 public:
  explicit Forward(std::unique_ptr<Store> inner) : inner_(std::move(inner)) {}

  const Limits& limits() const override { return inner_->limits(); }
  Result<ReadReply> read(const ReadBatch& batch, const Snapshot* snapshot) override {
    return inner_->read(batch, snapshot);
  }
  Result<Version> get(BytesView key, Bytes& value, const Snapshot* snapshot) override {
    return inner_->get(key, value, snapshot);
  }
  SnapshotPtr snapshot() override { return inner_->snapshot(); }
  Result<void> commit(const CommitBatch& batch) override { return inner_->commit(batch); }
  Version applied() const override { return inner_->applied(); }
  Version durable() const override { return inner_->durable(); }
  void sync(Version version) override { inner_->sync(version); }
  Result<std::uint64_t> estimate(BytesView lo, BytesView hi) override {
    return inner_->estimate(lo, hi);
  }
  Result<void> erase_range(BytesView lo, BytesView hi) override {
    return inner_->erase_range(lo, hi);
  }
  void set_forget(std::shared_ptr<ForgetFilterMaker> maker) override {
    inner_->set_forget(std::move(maker));
  }
  Result<void> compact(BytesView lo, BytesView hi) override { return inner_->compact(lo, hi); }
  void interrupt_compaction() override { inner_->interrupt_compaction(); }
  Result<Backup> backup(const std::string& directory) override { return inner_->backup(directory); }
  Stats stats() const override { return inner_->stats(); }

 protected:
  Store& inner() { return *inner_; }

 private:
  std::unique_ptr<Store> inner_;
};

}  // namespace mayfly::store
