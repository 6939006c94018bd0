// What receivers of events are sent.
#pragma once

#include "delivery/message.h"

namespace mayfly::native {

inline constexpr std::string_view event_format_name = "native";

// {"id":…, "database":…, "collection":…, "event":{…}, "document":{…}}: the document as the event
// left it, or as it was before; null where that is not kept, or is too large.
delivery::Format event_format();

}  // namespace mayfly::native
