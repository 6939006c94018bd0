// Overlay: a transaction's own writes over the rows of the store, and the guards of everything it
// has read. Private to db/.
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "db/catalog/catalog.h"
#include "store/store.h"

namespace mayfly {

class Overlay {
 public:
  // No row has this version: a transaction that used two versions of a collection does not commit.
  static constexpr store::Version changed_meanwhile = std::numeric_limits<store::Version>::max();

  // The transaction's own rows as they are now; nothing means removed. They are read as of `now`,
  // since the instant of their commit is not known yet.
  std::map<Bytes, std::optional<Bytes>, std::less<>> rows;

  // The collections that were read or written, and the versions of their rows in the catalog.
  std::map<CollectionId, store::Version> collections;
  void uses(CollectionId id, store::Version row_version) {
    const auto [known, is_new] = collections.emplace(id, row_version);
    if (!is_new && known->second != row_version) known->second = changed_meanwhile;
  }

  // Records what was read, and merges the own rows into it.
  store::ReadReply merge(const store::ReadBatch& batch, store::ReadReply reply, Instant now);
  // A document was shown as living: the commit must come before its death.
  void saw_alive_until(Instant death) { alive_until_ = std::min(alive_until_, death); }
  Instant alive_until() const { return alive_until_; }
  // One more partition is searched for an id that names none. Fails with too_large above
  // limits::transaction_searched_partitions_max, because each searched range is compared again at
  // the commit.
  Result<void> count_searched_partition();
  bool has_searched_too_many() const;
  void put_guards(store::CommitBatch& batch) const;
  // Reads again what was read, and fails with contended if it has changed.
  Result<void> check_guards(store::Store& store) const;
  // Whether the results may not have existed together. A row is never later than the now at which
  // it is read, so all rows found by their keys existed at that now. Absent rows and ranges may
  // have lost rows since; a single read is consistent by itself.
  bool needs_validation() const { return reads_ > 1 && absences_ > 0; }

 private:
  store::Page merge_page(const store::Range& range, store::Page page, Instant now);
  void guard(const store::Range& range, const store::Page& page, BytesView lo, BytesView hi);
  bool is_guarded(BytesView lo, BytesView hi) const;

  std::map<Bytes, store::Version, std::less<>> points_;
  std::vector<store::RangeGuard> ranges_;
  std::map<Bytes, std::size_t, std::less<>> last_from_;  // of the ranges, by where they begin
  Instant alive_until_ = Instant::never();
  std::size_t reads_ = 0;     // rows and pages that were read from the store
  std::size_t absences_ = 0;  // those that may have missed a row
  std::size_t searched_partitions_ = 0;
};

}  // namespace mayfly
