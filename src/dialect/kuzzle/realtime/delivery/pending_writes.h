// PendingWrites: the requests behind writes that are in progress, or whose events have not been
// published yet. Private to realtime/. Threads: one at a time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "dialect/kuzzle/realtime/realtime.h"

namespace mayfly::kuzzle::realtime {

class PendingWrites {
 public:
  using Number = std::uint64_t;  // 0: not recorded

  // `now`: an instant before that of the commit.
  Number begin(NotificationOrigin origin, CollectionName name, std::vector<Target> targets,
               Instant now);
  void suppress(Number number);
  // Records the commit and returns the request's connection and collection. Nothing if the write is
  // not recorded, has no subscriber, or has committed nothing: then `at` is not later than its
  // beginning.
  struct Committed {
    std::uint64_t connection = 0;
    CollectionName name;
  };
  std::optional<Committed> commit(Number number, Instant at);
  // Nothing was written.
  void drop(Number number);

  // The origin of a document's write in a commit.
  struct FoundWrite {
    bool may_be_pending = false;  // it may be a write that has not reported its commit yet
    bool is_suppressed = false;
    std::optional<NotificationOrigin> origin;  // nothing: not known
    ChangedFieldsPtr updated_fields = {};
  };
  FoundWrite find(const CollectionName& name, const std::string& id, Instant committed_at) const;
  // Everything up to that instant has been published.
  void forget(const CollectionName& name, Instant until);
  std::size_t size() const { return writes_.size(); }

 private:
  struct Write {
    NotificationOrigin origin;
    CollectionName name;
    Instant begun_at;
    std::map<std::string, ChangedFieldsPtr> targets = {};
    std::optional<Instant> committed_at = {};
    bool is_suppressed = false;
  };

  std::map<Number, Write> writes_;
  std::map<CollectionName, std::map<std::string, std::set<Number>>> by_document_;
  std::size_t targets_ = 0;
  Number next_ = 1;
};

}  // namespace mayfly::kuzzle::realtime
