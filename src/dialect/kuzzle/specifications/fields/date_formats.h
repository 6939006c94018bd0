// The formats of dates that specifications name, after Elasticsearch's.
#pragma once

#include <optional>
#include <string_view>

#include "base/clock.h"
#include "value/value.h"

namespace mayfly::kuzzle::specifications {

bool is_date_format(std::string_view name);

// The instant that a value says in a format; nothing where it is no such date. What the format
// leaves out of a day is that of `now`, of a time zero.
std::optional<Instant> parse_dated(std::string_view format, const Value& value, Instant now);

}  // namespace mayfly::kuzzle::specifications
