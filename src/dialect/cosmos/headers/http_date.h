// Dates as HTTP headers hold them (RFC 9110, section 5.6.7): Fri, 15 Jan 2027 08:00:00 GMT.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace mayfly::cosmos {

std::optional<Instant> parse_http_date(std::string_view text);
std::string render_http_date(Instant t);

}  // namespace mayfly::cosmos
