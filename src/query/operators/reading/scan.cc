// A collection, or a range of its keys, from one end to the other.
#include "db/ledger/reading.h"
#include "query/operators/reading/access.h"
#include "query/planning/access.h"

namespace mayfly::query {
namespace {

// Whether the range contains all documents of the collection. Without partitions, all documents
// have the empty routing, except in some internal collections.
bool is_all(const ByteRange& range, const Collection& collection) {
  if (range == ByteRange()) return true;
  return range == keys_of_routing({}) && !collection.body.is_partitioned() &&
         !is_internal(collection.name);
}

class ScanRows final : public AccessRows {
 public:
  ScanRows(const KeyScan& path, const Access& node, Context context, Demand demand)
      : AccessRows(node, context, demand),
        reverse_(path.reverse),
        is_whole_(context.resume == nullptr && is_all(path.range, *node.collection)),
        rest_{path.range} {
    rest_.is_empty = !path.range.to.empty() && path.range.from >= path.range.to;
    const auto* at = context.resume ? std::get_if<AtKey>(&context.resume->position) : nullptr;
    // Ids hold no NUL, so 01 is the least byte that follows an id.
    if (at) rest_.resume_at(at->key, reverse_, resumes_within(), '\x01');
  }

  void save_position(Bookmark& bookmark) const override { bookmark.position = AtKey{last_key_}; }

  // For all living documents of a collection: its ledger holds their number.
  Result<std::optional<std::uint64_t>> count_at_once() override {
    const Instant now = context_.view->now();
    const bool is_live = node_.lens.at == now && node_.lens.judged == now;
    if (!is_whole_ || !is_live || node_.lens.shows_trash || node_.residual) return std::nullopt;
    return ledger::count_living(*context_.view, *node_.collection, context_.budget.meter);
  }

  Result<bool> next(QueryRow& row) override {
    if (!TRY(AccessRows::next(row))) return false;
    last_key_ = row.document->key;
    return true;
  }

 protected:
  Result<bool> load() override {
    if (rest_.is_empty) return false;
    const DocumentRange range_to_read{rest_.range.from, rest_.range.to, reverse_, page_rows()};
    DocumentPage page = TRY(context_.view->scan(*node_.collection, range_to_read, node_.lens));
    context_.budget.rows_read += page.rows_read;
    TRY(context_.budget.meter.tick(static_cast<std::uint32_t>(page.rows_read)));
    documents_ = std::move(page.documents);
    rest_.continue_at(page.next, reverse_);
    read_more_at_once();
    return true;
  }

 private:
  const bool reverse_;
  const bool is_whole_;
  RemainingRange rest_;
  Bytes last_key_;
};

}  // namespace

std::unique_ptr<AccessRows> open_path(const KeyScan& path, const Access& node, Context context,
                                      Demand demand) {
  return std::make_unique<ScanRows>(path, node, context, demand);
}

}  // namespace mayfly::query
