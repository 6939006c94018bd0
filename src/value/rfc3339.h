// RFC 3339 times, strictly: `2026-09-01T00:00:00Z`, if need be with a fraction of 1 to 9 digits
// (cut to microseconds), and with an offset in place of Z. A leap second 23:59:60 (in UTC) is the
// second after 23:59:59. Years 0001 to 9999.
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "value/value.h"

namespace mayfly {

// Fails with invalid. Accepts lower-case t and z, as the RFC allows, but no other deviation.
Result<Instant> parse_rfc3339(std::string_view text);
enum class Fraction { shortest, none, millis, micros };  // shortest: no, three or six digits
// An instant outside the years 0001 to 9999 is written as the nearest one inside.
std::string render_rfc3339(Instant t, Fraction fraction = Fraction::shortest);
void append_rfc3339(Instant t, std::string& out);  // the shortest
Result<Date> parse_date(std::string_view text);
std::string render_date(Date date);

}  // namespace mayfly
