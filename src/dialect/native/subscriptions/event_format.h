// The format of messages to targets.
#pragma once

#include "delivery/message.h"

namespace mayfly::native {

inline constexpr std::string_view event_format_name = "native";

// {"id":…, "database":…, "collection":…, "event":{…}, "document":{…}}: the document after the
// event, or before it if it is gone; null if that version is not kept, or is too large.
delivery::Format event_format();

}  // namespace mayfly::native
