// The notices of a workspace, across its structures, in the order of the commits.
#pragma once

#include <optional>
#include <set>

#include "dialect/centrali/events/notice.h"

namespace mayfly::centrali {

struct NoticePage {
  std::vector<Notice> notices;
  Instant upto;  // every notice up to and with this instant has been read
};

// Notices behind `after`, up to and with `until`, which is what Feed::settle() gave, or earlier.
// `only`: the collections that may have some; null: any.
Result<NoticePage> read_notices(Database& database, const Workspace& workspace,
                                const std::string& slug, Instant after, Instant until,
                                const std::set<CollectionId>* only = nullptr);

}  // namespace mayfly::centrali
