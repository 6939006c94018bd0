// The hinted prefix of a key, while hints are on.
#include "store/rocks/engine/row_hints.h"

#include <rocksdb/slice_transform.h>

#include <utility>

namespace mayfly::store {
namespace {

// Rows with a common prefix of this length tend to arrive in order (queues, feeds, increasing ids),
// so the search for the next one begins at the last one.
constexpr std::size_t prefix_bytes = 6;

class HintedPrefix final : public rocksdb::SliceTransform {
 public:
  explicit HintedPrefix(std::shared_ptr<const RowHints> hints) : hints_(std::move(hints)) {}

  const char* Name() const override { return "mayfly.HintedPrefix"; }
  bool InDomain(const rocksdb::Slice& key) const override {
    return hints_->are_on() && key.size() >= prefix_bytes;
  }
  rocksdb::Slice Transform(const rocksdb::Slice& key) const override {
    return {key.data(), prefix_bytes};
  }

 private:
  const std::shared_ptr<const RowHints> hints_;
};

}  // namespace

std::shared_ptr<const rocksdb::SliceTransform> hinted_prefix(
    std::shared_ptr<const RowHints> hints) {
  return std::make_shared<HintedPrefix>(std::move(hints));
}

}  // namespace mayfly::store
