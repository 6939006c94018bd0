// The notices of a workspace, across its structures, in the order of the commits.
#pragma once

#include <optional>
#include <set>

#include "dialect/centrali/events/notice.h"

namespace mayfly::centrali {

struct NoticePage {
  std::vector<Notice> notices;
  Instant upto;  // every notice up to and including this instant has been read
};

// The notices after `after`, up to and including `until`. `until` is the result of Feed::flush()
// or earlier. `only`: the collections to read; null: all.
Result<NoticePage> read_notices(Database& database, const Workspace& workspace,
                                const std::string& slug, Instant after, Instant until,
                                const std::set<CollectionId>* only = nullptr);

}  // namespace mayfly::centrali
