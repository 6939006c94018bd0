// Overlay: a transaction's own writes laid over what the store says, and the guards of everything
// it has read. Private to db/.
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
  // No row has it: whoever used two versions of a collection does not commit.
  static constexpr store::Version changed_meanwhile = std::numeric_limits<store::Version>::max();

  // Own rows as they stand now: nothing means removed. They are read back as of `now`, since the
  // instant of their commit is not known yet.
  std::map<Bytes, std::optional<Bytes>, std::less<>> rows;

  // The collections that were read or written, and the versions of their rows in the catalog.
  std::map<CollectionId, store::Version> collections;
  void uses(CollectionId id, store::Version row_version) {
    const auto [known, is_new] = collections.emplace(id, row_version);
    if (!is_new && known->second != row_version) known->second = changed_meanwhile;
  }

  // Remembers what was read, and lays the own rows over it.
  store::ReadReply merge(const store::ReadBatch& batch, store::ReadReply reply, Instant now);
  // A document that was shown alive: the commit must come before its death.
  void saw_alive_until(Instant death) { alive_until_ = std::min(alive_until_, death); }
  Instant alive_until() const { return alive_until_; }
  // One more partition is searched for an id that names none. Fails with too_large over
  // limits::transaction_searched_partitions_max: what each held is compared at the commit.
  Result<void> count_searched_partition();
  bool has_searched_too_many() const;
  void put_guards(store::CommitBatch& batch) const;
  // Reads again what was read, and fails with contended where it is not the same any more.
  Result<void> check_guards(store::Store& store) const;
  // Whether what was read may not have existed together. Rows are no later than the now they are
  // read at, so those that were found by their keys stood then, all of them. What was not there,
  // and ranges, may have lost rows since; one read alone agrees with itself.
  bool needs_validation() const { return reads_ > 1 && absences_ > 0; }

 private:
  store::Page merge_page(const store::Range& range, store::Page page, Instant now);
  void guard(const store::Range& range, const store::Page& page, BytesView lo, BytesView hi);
  bool is_guarded(BytesView lo, BytesView hi) const;

  std::map<Bytes, store::Version, std::less<>> points_;
  std::vector<store::RangeGuard> ranges_;
  std::map<Bytes, std::size_t, std::less<>> last_from_;  // of those that begin there
  Instant alive_until_ = Instant::never();
  std::size_t reads_ = 0;     // rows and pages that were read from the store
  std::size_t absences_ = 0;  // those of them that could have lacked something
  std::size_t searched_partitions_ = 0;
};

}  // namespace mayfly
