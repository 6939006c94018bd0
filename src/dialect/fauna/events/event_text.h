// Renders events: what the change of a document means for a followed set. The states before and
// after the change are each evaluated against the set, as of their own instants:
//
//   before  after
//   -       x       add      with what the set makes of the state after
//   x       x       update   the same; where fields are named only if one of them has changed
//   x       -       remove   with what it makes of the state before; only if a field was there
//   -       -       nothing
//
// The expiration of a document by its ttl is no event.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "db/feed/feed.h"
#include "db/read/view.h"
#include "dialect/common/events/source.h"
#include "dialect/fauna/events/sources/opened.h"
#include "value/json/writer.h"

namespace mayfly::fauna {

struct EventStats {
  std::uint64_t compute_ops = 0;
  std::uint64_t reads = 0;
  std::uint64_t bytes_read = 0;
  mayfly::Span time = {0};

  void add(const EventStats& more);
};

struct EventText {
  std::optional<std::string> text = {};  // JSON; nullopt: no event for this source
  bool is_error = false;                 // a lambda of the source has failed
  EventStats stats = {};
};

// `view` must have been opened after the event. Fails with timed_out when the meter runs out.
Result<EventText> render_event(const OpenedSource& opened, View& view, const Event& event,
                               Meter meter);

// --- other messages of a stream, in JSON ---
std::string render_status(const EventPosition& at);
std::string render_event_error(std::string_view code, std::string_view message);
// The error that changes before that instant are no longer kept.
std::string render_too_old(Instant start);
// Appends the member `stats`.
void put_stats(const EventStats& stats, JsonWriter& json);

// --- the position of a client, as a cursor ---
std::string render_cursor(const EventPosition& at);
std::optional<EventPosition> parse_cursor(std::string_view text);

}  // namespace mayfly::fauna
