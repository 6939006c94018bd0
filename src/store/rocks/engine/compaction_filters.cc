#include "store/rocks/engine/compaction_filters.h"

#include <rocksdb/compaction_filter.h>

#include <utility>

#include "base/service/kill_point.h"
#include "store/rocks/engine/row_format.h"

namespace mayfly::store {
namespace {

class Filter final : public rocksdb::CompactionFilter {
 public:
  Filter(std::shared_ptr<CompactionFilters> forgetting, std::shared_ptr<ForgetFilterMaker> maker,
         std::unique_ptr<ForgetFilter> filter)
      : filters_(std::move(forgetting)), maker_(std::move(maker)), filter_(std::move(filter)) {}
  ~Filter() override {
    KILL_POINT("compaction.filtered");
    filters_->rows_forgotten += rows_;
  }

  const char* Name() const override { return "mayfly.forget"; }

  Decision FilterV2(int, const rocksdb::Slice& key, ValueType type, const rocksdb::Slice& stored,
                    std::string*, std::string*) const override {
    if (type != ValueType::kValue || key.empty()) return Decision::kKeep;
    const std::optional<StoredRow> row = decode_row({stored.data(), stored.size()});
    // A row that cannot be read is kept: reading it reports the damage.
    if (!row || !filter_->forgettable({key.data(), key.size()}, row->value, row->version)) {
      return Decision::kKeep;
    }
    ++rows_;
    KILL_POINT("compaction.forgetting");
    return Decision::kRemove;
  }

 private:
  const std::shared_ptr<CompactionFilters> filters_;
  const std::shared_ptr<ForgetFilterMaker>
      maker_;  // outlives its filter, even if another maker is set meanwhile
  const std::unique_ptr<ForgetFilter> filter_;
  mutable std::uint64_t rows_ = 0;  // one compaction uses it from one thread
};

class Factory final : public rocksdb::CompactionFilterFactory {
 public:
  explicit Factory(std::shared_ptr<CompactionFilters> forgetting)
      : filters_(std::move(forgetting)) {}

  const char* Name() const override { return "mayfly.forget"; }

  std::unique_ptr<rocksdb::CompactionFilter> CreateCompactionFilter(
      const rocksdb::CompactionFilter::Context&) override {
    CompactionFilters::MadeFilter made = filters_->make();
    if (!made.filter) return nullptr;
    KILL_POINT("compaction.begun");
    return std::make_unique<Filter>(filters_, std::move(made.maker), std::move(made.filter));
  }

 private:
  const std::shared_ptr<CompactionFilters> filters_;
};

}  // namespace

std::shared_ptr<rocksdb::CompactionFilterFactory> filter_factory(
    std::shared_ptr<CompactionFilters> forgetting) {
  return std::make_shared<Factory>(std::move(forgetting));
}

}  // namespace mayfly::store
