// Spans of time as users type them: 90, 90s, 15m, 24h, 60d.
#pragma once

#include <string>

#include "base/result.h"

namespace mayfly::app {

// In seconds, not negative. Fails with invalid.
Result<double> parse_span(const std::string& text);
// The same, for whole seconds only.
Result<std::int64_t> parse_whole_span(const std::string& text);

// Validators for the command line: what is wrong with a text that must be such a span, or a time in
// RFC 3339; empty if it is right.
std::string check_span(const std::string& text);
std::string check_whole_span(const std::string& text);
std::string check_time(const std::string& text);

}  // namespace mayfly::app
