// Documents by their keys.
#include <algorithm>

#include "db/rows/keys.h"
#include "query/operators/reading/access.h"

namespace mayfly::query {
namespace {

class LookupRows final : public AccessRows {
 public:
  LookupRows(const Points& path, const Access& node, Context context, Demand demand)
      : AccessRows(node, context, demand), path_(path) {
    if (context.resume) begin_ = resumed(*context.resume);
  }

  void save_position(Bookmark& bookmark) const override {
    const std::size_t i = last_number();
    if (path_.are_sorted) {
      bookmark.position = AtKey{keys::encode(path_.keys[i])};
    } else {
      bookmark.position = AtListed{i + 1};
    }
  }

 protected:
  Result<bool> load() override {
    if (begin_ == path_.keys.size()) return false;
    const std::size_t end = std::min(begin_ + page_rows(), path_.keys.size());
    read_more_at_once();
    std::vector<Bytes> keys;
    for (std::size_t i = begin_; i < end; ++i) keys.push_back(keys::encode(path_.keys[i]));
    begin_ += TRY(load_by_keys(keys, begin_));
    return true;
  }

 private:
  std::size_t resumed(const Bookmark& bookmark) const {
    if (const auto* at = std::get_if<AtListed>(&bookmark.position)) {
      return static_cast<std::size_t>(std::min<std::uint64_t>(at->done, path_.keys.size()));
    }
    const auto* at = std::get_if<AtKey>(&bookmark.position);
    if (at == nullptr) return 0;
    const auto is_done = [&](const DocumentKey& key) {
      const Bytes encoded = keys::encode(key);
      return resumes_within() ? encoded < at->key : encoded <= at->key;
    };
    return static_cast<std::size_t>(
        std::partition_point(path_.keys.begin(), path_.keys.end(), is_done) - path_.keys.begin());
  }

  const Points& path_;
  std::size_t begin_ = 0;  // the first key that has not been looked up
};

}  // namespace

std::unique_ptr<AccessRows> open_path(const Points& path, const Access& node, Context context,
                                      Demand demand) {
  return std::make_unique<LookupRows>(path, node, context, demand);
}

}  // namespace mayfly::query
