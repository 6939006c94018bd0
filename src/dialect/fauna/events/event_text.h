// Events as text: what a change of a document is to those who follow a set. Its state before and
// its state after are each put through the set, as of their own instants:
//
//   before  after
//   -       x       add      with what the set makes of the state after
//   x       x       update   the same; where fields are named only if one of them has changed
//   x       -       remove   with what it makes of the state before; only if a field was there
//   -       -       nothing
//
// The end of a document by its own ttl is no event.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "db/feed/feed.h"
#include "db/read/view.h"
#include "dialect/common/events/source.h"
#include "dialect/fauna/events/sources/opened.h"

namespace mayfly::fauna {

struct EventStats {
  std::uint64_t compute_ops = 0;
  std::uint64_t reads = 0;
  std::uint64_t bytes_read = 0;
  mayfly::Span time = {0};

  void add(const EventStats& more);
};

struct EventText {
  std::optional<std::string> text = {};  // JSON; nothing: it is none for this source
  bool is_error = false;                 // a lambda of the source has failed
  EventStats stats = {};
};

// `view` was opened after the event. Fails with timed_out at the end of the meter.
Result<EventText> render_event(const OpenedSource& opened, View& view, const Event& event,
                               Meter meter);

// --- the same for what is no change: JSON ---
std::string render_status(const EventPosition& at);
std::string render_event_error(std::string_view code, std::string_view message);
// Changes before that instant are no longer known.
std::string render_too_old(Instant start);
// Appends the member `stats`.
void put_stats(const EventStats& stats, std::string& out);

// --- where a client stands, as it is sent ---
std::string render_cursor(const EventPosition& at);
std::optional<EventPosition> parse_cursor(std::string_view text);

}  // namespace mayfly::fauna
