// Notices: what clients are told of the events of a structure.
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

// The id of a notice in a stream: "1767225600000000.12.1", or for a whole commit its instant alone.
std::string render(const EventPosition& position);
// Fails with invalid, naming the field.
Result<EventPosition> parse_position(std::string_view text, const char* field);

struct Notice {
  Instant committed_at;
  std::uint32_t number = 0;  // among those of the commit and collection, from 1
  bool ends_commit = false;  // no further notice of the same commit follows
  StructurePtr structure;
  std::string type;  // record_created, records_bulk_created, …
  std::string json;  // {"event", "workspaceSlug", "recordSlug", "recordId", "data", "timestamp", …}
  Value payload;     // the same, for filters
};

// The names that a subscriber may ask for; some are of events that never happen here.
bool is_event_name(std::string_view name);
// Those of one who asks for none: all but the envelopes.
std::vector<std::string_view> usual_event_names();

// Appends the notices of what one commit did to one structure: of what it created, updated or
// deleted there is one notice, of the record or of all of them. What a record was is told as long
// as the structure keeps its versions. Data is left out of a notice over limits::event_bytes_max,
// and of all further ones once `bytes`, which counts them, is over limits::event_page_bytes_max.
// Ids of many records are left out of a notice that they alone bring over the former.
Result<void> tell_commit(View& view, const StructurePtr& structure, std::string_view workspace,
                         std::span<const Event> commit, std::size_t& bytes,
                         std::vector<Notice>& out);
// Leaves out of the notice what has no bound of its own: data, and the ids of many records.
void leave_out_all(Notice& notice);
// Its part of the commit is the collection, in the upper half, and the number.
EventPosition position_of(const Notice& notice);

}  // namespace mayfly::centrali
