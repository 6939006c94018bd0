// Spans of time as they are typed: 90, 90s, 15m, 24h, 60d.
#pragma once

#include <string>

#include "base/result.h"

namespace mayfly::app {

// In seconds, not less than none. Fails with invalid.
Result<double> parse_span(const std::string& text);
// The same, where only whole seconds will do.
Result<std::int64_t> parse_whole_span(const std::string& text);

// For the parser of the command line: what is wrong with a text that must be such a span, or a time
// in RFC 3339; empty where nothing is.
std::string check_span(const std::string& text);
std::string check_whole_span(const std::string& text);
std::string check_time(const std::string& text);

}  // namespace mayfly::app
