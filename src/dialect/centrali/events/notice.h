// Notices: what clients are told of the events of a structure.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "db/feed.h"
#include "db/view.h"
#include "dialect/centrali/structures/directory.h"

namespace mayfly::centrali {

struct Notice {
  Instant committed_at;
  bool ends_commit = false;  // no further notice of the same commit follows
  StructurePtr structure;
  std::string type;  // record_created, records_bulk_created, …
  std::string json;  // {"event", "workspaceSlug", "recordSlug", "recordId", "data", "timestamp", …}
  Value payload;     // the same, for filters
};

// The names that a subscriber may ask for; some are of events that never happen here.
bool is_event_name(std::string_view name);

// The notices of one structure's events, which hold every event of each commit they are of. Of what
// one commit created, updated or deleted there is one notice, of the record or of all of them.
// What a record was is told as long as the structure keeps its versions; data over
// limits::event_bytes_max is left out.
Result<std::vector<Notice>> notices_of(View& view, const StructurePtr& structure,
                                       std::string_view workspace, std::span<const Event> events);
// The notice without its data.
std::string without_data(const Notice& notice);

}  // namespace mayfly::centrali
