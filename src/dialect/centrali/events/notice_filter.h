// NoticeFilter: which notices a subscriber receives.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/centrali/events/notice.h"
#include "expr/expr.h"

namespace mayfly::centrali {

struct NoticeFilter {
  std::set<std::string, std::less<>> events;      // empty: all but the envelopes
  std::set<std::string, std::less<>> structures;  // by slug, id or name; empty: all
  ExprList filters;                               // all of which must be true

  // Whether the notice is sent to the subscriber. Fails with throttled if the filters take longer
  // than limits::event_filter_time_max.
  Result<bool> wants(const Notice& notice) const;
};

// Adds the events of that name. Fails with invalid if no event has it.
Result<void> add_event_name(std::string_view name, NoticeFilter& filter);
// Parses path:value or path:operator:value. The path begins with data, data.after or data.before.
// In an update, data.x is data.after.x. Fails with invalid.
Result<ExprPtr> parse_event_filter(std::string_view text);

}  // namespace mayfly::centrali
