// Documents by the entries of an index.
#include <algorithm>
#include <span>

#include "query/operators/reading/access.h"
#include "query/operators/reading/key_filter.h"
#include "query/planning/access.h"

namespace mayfly::query {
namespace {

class IndexRows final : public AccessRows {
 public:
  IndexRows(const IndexScan& path, const Access& node, Context context, Demand demand)
      : AccessRows(node, context, demand),
        path_(path),
        key_filter_(node.residual, *node.collection) {
    if (node.routing) routing_ = keys_of_routing(*node.routing).from;
    const auto* at = context.resume ? std::get_if<AtEntry>(&context.resume->position) : nullptr;
    for (const ByteRange& range : path.ranges) {
      RemainingRange rest{range};
      if (at) rest.resume_at(at->position, path.reverse, resumes_within(), '\0');
      if (!rest.is_empty) ranges_.push_back(std::move(rest));
    }
    // Ranges are taken from the back, so the first one to read stands last.
    if (!path.reverse) std::reverse(ranges_.begin(), ranges_.end());
  }

  void save_position(Bookmark& bookmark) const override {
    bookmark.position = AtEntry{positions_[next_ - 1]};
  }

  // An entry alone says whether its document is visible. So documents are read only for a residual
  // condition, or to find repeated entries of one document.
  Result<std::uint64_t> count() override {
    if (node_.residual || path_.may_repeat) return AccessRows::count();
    std::uint64_t rows = 0;
    std::vector<IndexEntry> entries;
    while (TRY(load_entries(entries))) rows += entries.size();
    return rows;
  }

 protected:
  Result<bool> load() override {
    if (read_ == keys_.size() && !TRY(load_keys())) return false;
    const auto left = std::span<const Bytes>(keys_).subspan(read_);
    auto found = TRY(context_.view->get_many(*node_.collection, left, node_.lens));
    positions_.clear();
    for (std::optional<Document>& document : found) {
      IndexEntry& entry = entries_[read_++];
      if (!document || (path_.may_repeat && !is_first_entry_of(entry, *document))) continue;
      documents_.push_back(*std::move(document));
      positions_.push_back(std::move(entry.position));
    }
    return true;
  }

 private:
  // Whether it is the first of the document's entries in the ranges, over all pages.
  bool is_first_entry_of(const IndexEntry& entry, const Document& document) const {
    std::vector<Bytes> positions = positions_in(path_.index, document);
    if (path_.reverse) std::reverse(positions.begin(), positions.end());
    const auto is_in_ranges = [this](const Bytes& position) {
      return std::any_of(path_.ranges.begin(), path_.ranges.end(), [&](const ByteRange& range) {
        return position >= range.from && (range.to.empty() || position < range.to);
      });
    };
    const auto first = std::find_if(positions.begin(), positions.end(), is_in_ranges);
    return first != positions.end() && *first == entry.position;
  }

  Result<bool> load_keys() {
    keys_.clear();
    read_ = 0;
    if (!TRY(load_entries(entries_))) return false;
    keys_.reserve(entries_.size());
    for (const IndexEntry& entry : entries_) keys_.emplace_back(entry.key());
    return true;
  }

  Result<bool> load_entries(std::vector<IndexEntry>& entries) {
    entries.clear();
    while (!ranges_.empty() && ranges_.back().is_empty) ranges_.pop_back();
    if (ranges_.empty()) return false;
    RemainingRange& rest = ranges_.back();
    const IndexRange range_to_read{rest.range.from, rest.range.to, path_.reverse, page_rows()};
    IndexPage page =
        TRY(context_.view->scan_index(*node_.collection, path_.index, range_to_read, node_.lens));
    context_.budget.rows_read += page.rows_read;
    TRY(context_.budget.meter.tick(static_cast<std::uint32_t>(page.rows_read)));
    for (IndexEntry& entry : page.entries) {
      if (!entry.key().starts_with(routing_)) continue;
      if (TRY(key_filter_.admits(entry.key(), context_.budget.meter))) {
        entries.push_back(std::move(entry));
      }
    }
    rest.continue_at(page.next, path_.reverse);
    if (!rest.is_empty) read_more_at_once();
    return true;
  }

  const IndexScan& path_;
  const KeyFilter key_filter_;
  Bytes routing_;                       // the prefix of the keys
  std::vector<RemainingRange> ranges_;  // the remaining ranges, the next one last
  std::vector<IndexEntry> entries_;     // of the last page
  std::vector<Bytes> keys_;             // of the documents of entries_
  std::size_t read_ = 0;                // how many of keys_ have been read
  std::vector<Bytes> positions_;        // of documents_
};

}  // namespace

std::unique_ptr<AccessRows> open_path(const IndexScan& path, const Access& node, Context context,
                                      Demand demand) {
  return std::make_unique<IndexRows>(path, node, context, demand);
}

}  // namespace mayfly::query
