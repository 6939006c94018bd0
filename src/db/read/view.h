// View: all reading goes through one. It is one state of the store together with the matching `now`
// and catalog: everything read through it, by whatever path, is of that moment. A Transaction's
// view also shows the transaction's own writes, and records what it has shown so that the commit
// can check it.
//
// Threads: one at a time.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "db/catalog/catalog.h"
#include "db/rows/document.h"
#include "lifetime/lens.h"
#include "store/store.h"

namespace mayfly {

class Overlay;
namespace keys {
enum class Table : char;
}

// Documents in the order of their encoded keys. `from` and `to` are encoded keys (keys.h): from <=
// key < to; empty means from the first, or to the last.
struct DocumentRange {
  Bytes from;
  Bytes to;
  bool reverse = false;
  std::size_t rows_max = limits::store_page_rows_max;
};
struct DocumentPage {
  std::vector<Document> documents;  // the visible ones
  std::optional<Bytes> next;  // set if the range goes on: continue with from (reverse: to) = *next
  std::size_t rows_read = 0;  // rows examined, visible or not
};

struct KeyPage {
  std::vector<Bytes> keys;    // encoded
  std::optional<Bytes> next;  // set if there are more: where they begin
};

// Entries of one index whose encoded sort keys are in from <= k < to.
struct IndexRange {
  Bytes from;
  Bytes to;
  bool reverse = false;
  std::size_t rows_max = limits::store_page_rows_max;
};
struct IndexEntry {
  Bytes position;  // the entry's whole key behind the index: sort keys, then the document's encoded
                   // key
  std::size_t sort_key_bytes = 0;

  BytesView sort_key() const { return BytesView(position).substr(0, sort_key_bytes); }
  BytesView key() const { return BytesView(position).substr(sort_key_bytes); }
};
struct IndexPage {
  std::vector<IndexEntry> entries;  // of visible versions only
  std::optional<Bytes> next;
  std::size_t rows_read = 0;
};

// The positions of the document in an index, in the index's order: several if a field has an entry
// for each item.
std::vector<Bytes> positions_in(const Index& index, const Document& document);

class View {
 public:
  View(View&&) noexcept;
  View& operator=(View&&) noexcept;
  ~View();

  Instant now() const;
  Lens live() const { return Lens::live(now()); }
  const Catalog& catalog() const;
  CatalogPtr catalog_ptr() const;
  // Whether it also shows the writes of a transaction, which no other view shows before the commit.
  bool is_of_transaction() const;

  // Fails with invalid if `t` is later than now(), or earlier than the collection keeps its
  // history: a question that cannot be answered in full is not answered in part.
  Result<Lens> as_of(Instant t, const Collection& collection) const;

  // The key of the document of that id, if the collection has partitions and `key` names none;
  // otherwise `key`. The partitions are searched for it. Fails with invalid, naming the field
  // `partition`, if several documents have the id, or if more than limits::searched_partitions_max
  // partitions have documents that could be shown; with too_large if the transaction has searched
  // too many. A longer search also fails with contended on a thread that may not wait, and as
  // RunPermit::renew() does. If there is no such document, it returns `key` and no error. get() and
  // history() find their document in this way, and get_removed() searches the trash likewise.
  Result<DocumentKey> locate(const Collection& collection, const DocumentKey& key,
                             const Lens& lens);

  // The visible version. A missing document is not an error.
  Result<std::optional<Document>> get(const Collection& collection, const DocumentKey& key,
                                      const Lens& lens);
  // The same for the first of many encoded keys, in the given order: at least one, and more until
  // they hold limits::store_page_bytes_max. The result has an entry for each key that was read; the
  // caller requests the rest again.
  Result<std::vector<std::optional<Document>>> get_many(const Collection& collection,
                                                        std::span<const Bytes> keys,
                                                        const Lens& lens);
  // With a lens on an earlier instant, history is merged in; with the trash lens also removed
  // documents (for each key the living version, or else the last removed one). Such a page fails
  // with too_large if the merged rows take more than limits::query_bytes_max.
  Result<DocumentPage> scan(const Collection& collection, const DocumentRange& range,
                            const Lens& lens);
  // Visits every living document in key order, until `visit` returns false.
  using Visit = std::function<Result<bool>(const Document& document)>;
  Result<void> each(const Collection& collection, const Visit& visit);
  // Only for indexes that are ready, and for lenses that are current or look no further back than
  // the index does (Index::past_since).
  Result<IndexPage> scan_index(const Collection& collection, const Index& index,
                               const IndexRange& range, const Lens& lens);
  // All versions of the document that are still kept, newest first, with the living one if there is
  // one. `superseded_at` of each is set, except of the newest if nothing has replaced or removed
  // it; a removal ends a version as a replacement does. Fails with too_large if they take more than
  // limits::query_bytes_max.
  Result<std::vector<Document>> history(const Collection& collection, const DocumentKey& key);
  // Removed documents, the earliest removed first. `after` is the `next` of the previous page. A
  // page also ends, early but never empty, once its documents hold limits::list_page_bytes_max.
  Result<DocumentPage> scan_trash(const Collection& collection, const Bytes& after,
                                  std::size_t rows_max);
  // The keys of removed documents in the same order, without their bodies. They include documents
  // that the trash no longer keeps and that have not been collected yet.
  Result<KeyPage> scan_trash_keys(const Collection& collection, const Bytes& after,
                                  std::size_t rows_max);
  // Documents under hold, living and removed, by key. `after` and the end of a page are as in
  // scan_trash.
  Result<DocumentPage> scan_holds(const Collection& collection, const Bytes& after,
                                  std::size_t rows_max);
  // The removed document of that key; the last one if there are several.
  Result<std::optional<Document>> get_removed(const Collection& collection, const DocumentKey& key);

  // All removed documents of exactly that key that are held, the last removed first.
  Result<std::vector<Document>> get_held_removed(const Collection& collection,
                                                 const DocumentKey& key);

  // For db/ itself: rows, and the overlay of a transaction's view.
  Result<store::ReadReply> read(const store::ReadBatch& batch);
  Overlay& overlay();

 private:
  friend class Database;
  friend class Transaction;
  struct State;
  struct ListedRows;
  struct Search;
  struct IndexScanState;
  struct Candidate;
  explicit View(std::unique_ptr<State> state);
  Result<std::optional<Bytes>> first_key(const Search& search, store::Range range);
  Result<bool> has_row(const Search& search, const Bytes& row);
  Result<std::vector<Bytes>> partitions_of(const Collection& collection, keys::Table table,
                                           std::string_view id, const Lens& lens);
  Result<DocumentKey> locate_in(const Collection& collection, const DocumentKey& key,
                                keys::Table table);
  Result<std::optional<Document>> get_earlier(const Collection& collection, BytesView key,
                                              const Lens& lens);
  Result<std::optional<Document>> get_removed(const Collection& collection, BytesView key);
  Result<std::vector<Candidate>> candidates_of(const store::Rows& rows,
                                               const IndexScanState& reading);
  Result<std::vector<IndexEntry>> visible_entries(std::vector<Candidate> candidates,
                                                  const IndexScanState& reading);
  static void merge(std::vector<Candidate>& candidates, bool reverse);
  Result<DocumentPage> read_listed(const Collection& collection, ListedRows listed);
  Result<void> add_side_rows(const Collection& collection, keys::Table side,
                             const DocumentRange& range, const Lens& lens, DocumentPage& page);
  std::unique_ptr<State> state_;
};

}  // namespace mayfly
