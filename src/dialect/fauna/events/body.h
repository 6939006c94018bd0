// What a client says that asks for the events of a source.
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
  std::optional<EventPosition> after = {};  // as the client has said; nothing: since the token
  std::size_t page_size = 16;
};

// `stop` stands behind some of the sentences: those of feeds have one, those of streams none. Fails
// with invalid, in the words of the service.
Result<EventsBody> parse_events_body(const std::string& text, std::string_view stop);
tl::unexpected<Error> invalid_event_source(std::string_view stop);

}  // namespace mayfly::fauna
