// Overlay: a transaction's own writes laid over what the store says, and the guards of everything
// it has read. Private to db/.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "db/catalog.h"
#include "store/store.h"

namespace mayfly {

class Overlay {
 public:
  // Own rows as they stand now: nothing means removed. They are read back as of `now`, since the
  // instant of their commit is not known yet.
  std::map<Bytes, std::optional<Bytes>, std::less<>> rows;

  // The collections that were read, as they were then. Compared, never looked into.
  std::map<CollectionId, const Collection*> collections;

  // Remembers what was read, and lays the own rows over it.
  store::ReadReply merge(const store::ReadBatch& batch, store::ReadReply reply, Instant now);
  // A document that was shown alive: the commit must come before its death.
  void saw_alive_until(Instant death) { alive_until_ = std::min(alive_until_, death); }
  Instant alive_until() const { return alive_until_; }
  void put_guards(store::CommitBatch& batch) const;

 private:
  store::Page merge_page(const store::Range& range, store::Page page, Instant now);
  void guard(const store::Range& range, const store::Page& page, BytesView lo, BytesView hi);

  std::map<Bytes, store::Version, std::less<>> points_;
  std::vector<store::RangeGuard> ranges_;
  Instant alive_until_ = Instant::never();
};

}  // namespace mayfly
