// The date formats of specifications, as in Elasticsearch.
#pragma once

#include <optional>
#include <string_view>

#include "base/clock.h"
#include "value/value.h"

namespace mayfly::kuzzle::specifications {

bool is_date_format(std::string_view name);

// The instant that a value has in a format; nothing if it is no such date. If the format has no
// day, `now` supplies it; a missing time is zero.
std::optional<Instant> parse_dated(std::string_view format, const Value& value, Instant now);

}  // namespace mayfly::kuzzle::specifications
