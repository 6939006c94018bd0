#include "store/rocks/log/log_contents.h"

#include <rocksdb/wal_filter.h>
#include <rocksdb/write_batch.h>

#include <algorithm>

namespace mayfly::store {
namespace {

// Finds the version row, which every commit writes first.
class FirstRow final : public rocksdb::WriteBatch::Handler {
 public:
  rocksdb::Status PutCF(std::uint32_t, const rocksdb::Slice& key,
                        const rocksdb::Slice& stored) override {
    if (key.empty()) row = decode_version_row({stored.data(), stored.size()});
    is_over_ = true;
    return rocksdb::Status::OK();
  }
  rocksdb::Status DeleteCF(std::uint32_t, const rocksdb::Slice&) override {
    is_over_ = true;
    return rocksdb::Status::OK();
  }
  rocksdb::Status DeleteRangeCF(std::uint32_t, const rocksdb::Slice&,
                                const rocksdb::Slice&) override {
    is_over_ = true;
    return rocksdb::Status::OK();
  }
  bool Continue() override { return !is_over_; }

  std::optional<VersionRow> row;

 private:
  bool is_over_ = false;
};

class LogWatch final : public rocksdb::WalFilter {
 public:
  explicit LogWatch(LogContents& contents) : contents_(contents) {}

  const char* Name() const override { return "mayfly.log_watch"; }

  WalProcessingOption LogRecordFound(unsigned long long log_number, const std::string&,
                                     const rocksdb::WriteBatch& batch, rocksdb::WriteBatch*,
                                     bool*) override {
    FirstRow first;
    // An unreadable batch is not recorded, and so counts as missing.
    batch.Iterate(&first).PermitUncheckedError();
    if (first.row) contents_.commits.push_back({*first.row, log_number});
    return WalProcessingOption::kIgnoreCurrentRecord;
  }

 private:
  LogContents& contents_;
};

class LogEnd final : public rocksdb::WalFilter {
 public:
  explicit LogEnd(Version base) : last_(base) {}

  const char* Name() const override { return "mayfly.log_end"; }

  WalProcessingOption LogRecordFound(unsigned long long, const std::string&,
                                     const rocksdb::WriteBatch& batch, rocksdb::WriteBatch*,
                                     bool*) override {
    FirstRow first;
    if (!batch.Iterate(&first).ok()) return WalProcessingOption::kStopReplay;
    if (!first.row) return WalProcessingOption::kContinueProcessing;
    if (first.row->previous > last_) return WalProcessingOption::kStopReplay;
    last_ = std::max(last_, first.row->version);
    return WalProcessingOption::kContinueProcessing;
  }

 private:
  Version last_;
};

}  // namespace

LogContents::End LogContents::end_from(Version base) const {
  Version last = base;
  for (const Commit& commit : commits) {
    // A failed commit may be in the log nevertheless; the next one does not follow it.
    if (commit.row.previous > last) return {last, commit.log_number};
    last = std::max(last, commit.row.version);
  }
  return {last, 0};
}

Version LogContents::durable() const {
  Version newest = 0;
  for (const Commit& commit : commits) newest = std::max(newest, commit.row.durable);
  return newest;
}

Version LogContents::newest() const {
  Version newest = 0;
  for (const Commit& commit : commits) newest = std::max(newest, commit.row.version);
  return newest;
}

std::unique_ptr<rocksdb::WalFilter> make_log_end(Version base) {
  return std::make_unique<LogEnd>(base);
}

std::unique_ptr<rocksdb::WalFilter> make_log_watch(LogContents& contents) {
  return std::make_unique<LogWatch>(contents);
}

}  // namespace mayfly::store
