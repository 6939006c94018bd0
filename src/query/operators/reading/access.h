// Reading documents by an access path: what the three paths share.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "query/running/rows.h"

namespace mayfly::query {

// Reads documents in pages, evaluates the residual conditions on each, and makes rows of those that
// fulfil them.
class AccessRows : public Rows {
 public:
  AccessRows(const Access& node, Context context, Demand demand);

  Result<bool> next(QueryRow& row) override;
  // Counts the remaining rows without making them.
  virtual Result<std::uint64_t> count();
  // The same, if it takes constant time; empty if it would not.
  virtual Result<std::optional<std::uint64_t>> count_at_once() { return std::nullopt; }

 protected:
  // Puts the next documents into `documents_`, in order. It may add none although more remain.
  // Returns whether anything remained.
  virtual Result<bool> load() = 0;
  // For paths that produce keys: puts the documents of these keys into `documents_`, as many as one
  // read of the store returns. `first` is the number of the first key. Returns how many keys were
  // read.
  Result<std::size_t> load_by_keys(std::span<const Bytes> keys, std::size_t first);
  // The number of the key of the row that was returned last.
  std::size_t last_number() const { return numbers_[next_ - 1]; }
  // How many rows to read at once: few at first if the caller needs few.
  std::size_t page_rows() const { return page_rows_; }
  // Increases page_rows(), because the page read before was not enough.
  void read_more_at_once();
  // Whether a later page begins with the row in which the previous page stopped, because that row
  // has items left.
  bool resumes_within() const { return context_.resume && !context_.resume->ordinals.empty(); }

  const Access& node_;
  Context context_;
  std::vector<Document> documents_;
  std::size_t next_ = 0;  // in documents_

 private:
  Result<bool> passes(const Document& document);
  void count_documents();
  std::size_t page_rows_;
  std::vector<std::size_t> numbers_;  // the key numbers of documents_, if they were read by keys
};

// What remains to be read of a range: from <= bytes < to.
struct RemainingRange {
  ByteRange range;
  bool is_empty = false;

  // Keeps what follows the key or position `last` in the direction of reading, and `last` itself if
  // `within`.
  void resume_at(const Bytes& last, bool reverse, bool within, char least_following);
  void continue_at(const std::optional<Bytes>& next, bool reverse);
};

std::unique_ptr<AccessRows> open_access(const Access& node, Context context, Demand demand);
std::unique_ptr<AccessRows> open_path(const KeyScan& path, const Access& node, Context context,
                                      Demand demand);
std::unique_ptr<AccessRows> open_path(const Points& path, const Access& node, Context context,
                                      Demand demand);
std::unique_ptr<AccessRows> open_path(const IndexScan& path, const Access& node, Context context,
                                      Demand demand);

}  // namespace mayfly::query
