// Reading documents by an access path: what the three paths share.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "query/running/rows.h"

namespace mayfly::query {

// Reads documents in pages, asks each what the access leaves to be asked, and makes rows of those
// that pass.
class AccessRows : public Rows {
 public:
  AccessRows(const Access& node, Context context, Demand demand);

  Result<bool> next(Row& row) override;
  // How many rows are left, without making any.
  virtual Result<std::uint64_t> count();
  // The same where that takes no longer for many than for few; nothing where it does.
  virtual Result<std::optional<std::uint64_t>> count_at_once() { return std::nullopt; }

 protected:
  // Puts the next documents into `documents_`, in order; maybe none, though there are more. Whether
  // anything was left.
  virtual Result<bool> load() = 0;
  // For paths that give keys: puts the documents of these there, or of as many of the first as are
  // read at once. `first` is the place of the first key. How many keys were read.
  Result<std::size_t> load_by_keys(std::span<const Bytes> keys, std::size_t first);
  // Of the row that was given last.
  std::size_t last_place() const { return places_[next_ - 1]; }
  // How many rows to read at once: few at first, where few are asked for.
  std::size_t page_rows() const { return page_rows_; }
  // That was not enough, and more are left: from now on more at once.
  void read_more_at_once();
  // On a further page, whether to begin with the row in which the page before stopped, because it
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
  std::vector<std::size_t> places_;  // of documents_, where they were read by keys
};

// from <= bytes < to of a range with what a further page leaves of it; empty where nothing is left.
struct RestOfRange {
  ByteRange range;
  bool is_empty = false;

  // Everything behind the place where it stopped, in the direction of reading; with that place
  // itself where `within`.
  void resume_at(const Bytes& place, bool reverse, bool within, char least_following);
  void go_on(const std::optional<Bytes>& next, bool reverse);
};

std::unique_ptr<AccessRows> open_access(const Access& node, Context context, Demand demand);
std::unique_ptr<AccessRows> open_path(const KeyScan& path, const Access& node, Context context,
                                      Demand demand);
std::unique_ptr<AccessRows> open_path(const Points& path, const Access& node, Context context,
                                      Demand demand);
std::unique_ptr<AccessRows> open_path(const IndexScan& path, const Access& node, Context context,
                                      Demand demand);

}  // namespace mayfly::query
