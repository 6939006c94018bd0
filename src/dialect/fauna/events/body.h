// The body of a request for the events of a source.
//
//   body := {"token", "start_ts"?: microseconds, "cursor"?, "page_size"?}
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "base/result.h"
#include "dialect/common/events/source.h"

namespace mayfly::fauna {

struct EventsBody {
  std::string token;
  // the position that the client sent; nullopt: from the instant of the token on
  std::optional<EventPosition> after = {};
  std::size_t page_size = 16;
};

// `stop` ends some of the messages: a full stop for feeds, nothing for streams, as the service
// does. Fails with invalid, with the service's messages.
Result<EventsBody> parse_events_body(const std::string& text, std::string_view stop);
tl::unexpected<Error> invalid_event_source(std::string_view stop);

}  // namespace mayfly::fauna
