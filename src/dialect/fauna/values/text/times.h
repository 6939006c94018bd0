// Parses and renders times and dates in the ISO 8601 form of FQL.
//
//   time := date T hh:mm[:ss[.fraction]] offset     the fraction has 1 to 9 digits
//   date := year-mm-dd     year := yyyy | -yyyy | (+ | -) with 5 to 9 digits
//   offset := Z | (+ | -) hh[:]mm     up to 18 hours
//
// A time is rendered in UTC with no, three, six or nine digits of fraction: the fewest that are
// exact.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dialect/fauna/values/value.h"

namespace mayfly::fauna {

// nullopt if the text is invalid or outside the calendar. There are no leap seconds.
std::optional<FqlTime> parse_time(std::string_view text);
std::optional<FqlDate> parse_day(std::string_view text);

std::string render_time(const FqlTime& t);
std::string render_day(const FqlDate& date);

}  // namespace mayfly::fauna
