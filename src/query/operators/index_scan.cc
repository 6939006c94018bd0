// Documents by the entries of an index.
#include "query/access.h"
#include "query/operators/access.h"

namespace mayfly::query {
namespace {

class IndexRows final : public AccessRows {
 public:
  IndexRows(const IndexScan& path, const Access& node, Context context, Demand demand)
      : AccessRows(node, context, demand), path_(path) {
    if (node.routing) routing_ = keys_of_routing(*node.routing).from;
    const auto* at = context.resume ? std::get_if<AtEntry>(&context.resume->position) : nullptr;
    for (const ByteRange& range : path.ranges) {
      RestOfRange rest{range};
      if (at) rest.resume_at(at->position, path.reverse, resumes_within(), '\0');
      if (!rest.is_empty) ranges_.push_back(std::move(rest));
    }
    // Taken from the back, so that what is read first stands last.
    if (!path.reverse) std::reverse(ranges_.begin(), ranges_.end());
  }

  void mark(Bookmark& bookmark) const override {
    bookmark.position = AtEntry{positions_[next_ - 1]};
  }

  // Entries tell by themselves whether their document is visible, so only a residual needs the
  // documents.
  Result<std::uint64_t> count() override {
    if (node_.residual) return AccessRows::count();
    std::uint64_t rows = 0;
    std::vector<IndexEntry> entries;
    while (TRY(load_entries(entries))) rows += entries.size();
    return rows;
  }

 protected:
  Result<bool> load() override {
    std::vector<IndexEntry> entries;
    if (!TRY(load_entries(entries))) return false;
    std::vector<Bytes> keys;
    keys.reserve(entries.size());
    for (const IndexEntry& entry : entries) keys.emplace_back(entry.key());
    auto found = TRY(context_.view.get_many(*node_.collection, keys, node_.lens));
    positions_.clear();
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (!found[i]) continue;
      documents_.push_back(*std::move(found[i]));
      positions_.push_back(std::move(entries[i].position));
    }
    return true;
  }

 private:
  Result<bool> load_entries(std::vector<IndexEntry>& entries) {
    entries.clear();
    while (!ranges_.empty() && ranges_.back().is_empty) ranges_.pop_back();
    if (ranges_.empty()) return false;
    RestOfRange& rest = ranges_.back();
    const IndexRange asked{rest.range.from, rest.range.to, path_.reverse, page_rows()};
    IndexPage page =
        TRY(context_.view.scan_index(*node_.collection, path_.index, asked, node_.lens));
    context_.budget.rows_read += page.rows_read;
    TRY(context_.budget.meter.tick(static_cast<std::uint32_t>(page.rows_read)));
    for (IndexEntry& entry : page.entries) {
      if (entry.key().starts_with(routing_)) entries.push_back(std::move(entry));
    }
    rest.go_on(page.next, path_.reverse);
    return true;
  }

  const IndexScan& path_;
  Bytes routing_;                    // what the keys begin with
  std::vector<RestOfRange> ranges_;  // what is left to read, the next one last
  std::vector<Bytes> positions_;     // of documents_
};

}  // namespace

std::unique_ptr<AccessRows> open_path(const IndexScan& path, const Access& node, Context context,
                                      Demand demand) {
  return std::make_unique<IndexRows>(path, node, context, demand);
}

}  // namespace mayfly::query
