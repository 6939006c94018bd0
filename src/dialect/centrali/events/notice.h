// Notices: the messages to clients about the events of a structure.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "db/feed/feed.h"
#include "db/read/view.h"
#include "dialect/centrali/limits.h"
#include "dialect/centrali/structures/directory.h"
#include "dialect/common/events/source.h"

namespace mayfly::centrali {

// The id of a notice in a stream: "1767225600000000.12.1". The id of a whole commit is its instant
// alone.
std::string render(const EventPosition& position);
// Fails with invalid, naming the field.
Result<EventPosition> parse_position(std::string_view text, const char* field);

struct Notice {
  Instant committed_at;
  std::uint32_t number = 0;  // among the notices of the commit and collection, from 1
  bool ends_commit = false;  // no further notice of the same commit follows
  StructurePtr structure;
  std::string type;  // record_created, records_bulk_created, …
  std::string json;  // {"event", "workspaceSlug", "recordSlug", "recordId", "data", "timestamp", …}
  Value payload;     // the same, for filters
};

// Whether a subscriber may request events of that name. Some of these events never happen here.
bool is_event_name(std::string_view name);
// The names that hold for a subscriber that requests none: all but the envelopes.
std::vector<std::string_view> usual_event_names();

// Appends the notices of one commit in one structure. Records that were created are one notice,
// whether one or many, and so are those that were updated and those that were deleted. A notice has
// the earlier data of a record as long as the structure keeps its versions. A notice over
// limits::event_bytes_max is sent without data. So are all further ones once `bytes`, the sum of
// their sizes, is over limits::event_page_bytes_max. A notice that is too large by the ids of many
// records alone is sent without them.
Result<void> append_notices(View& view, const StructurePtr& structure, std::string_view workspace,
                            std::span<const Event> commit, std::size_t& bytes,
                            std::vector<Notice>& out);
// Removes from the notice what has no bound of its own: data, and the ids of many records.
void leave_out_all(Notice& notice);
// Its part within the commit is the collection, in the upper half, and the number. The last notice
// of a commit has the position after the commit.
EventPosition position_of(const Notice& notice);

}  // namespace mayfly::centrali
