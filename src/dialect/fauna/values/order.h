// Comparisons of FQL. These functions use no database: a document is compared as a reference. So a
// caller must find out itself whether `doc == null` because no such document exists.
#pragma once

#include <compare>
#include <string_view>

#include "base/result.h"
#include "dialect/fauna/values/value.h"
#include "expr/evaluation/meter.h"

namespace mayfly::fauna {

// Compares by UTF-16 code units, as the JVM does: characters beyond U+FFFF come before those from
// U+E000 on. Both are UTF-8.
std::strong_ordering order_texts(std::string_view a, std::string_view b);

// The functions below traverse both values up to the first difference. They take steps of the meter
// and fail as the meter does. The forms without a meter are for values that share no parts and are
// bounded in size, such as stored values.

// The total order, used by order() and for comparing arrays and objects: numbers < bytes < strings
// < arrays < objects < ids < documents < times < dates < UUIDs < booleans < modules < sets <
// functions < event sources < null. Numbers compare by value, NaN before all others and equal to
// itself. Objects compare as lists of members sorted by name. The time of the write under way is
// later than every other.
Result<std::strong_ordering> total_order(Meter& meter, const FqlValue& a, const FqlValue& b);
std::strong_ordering total_order(const FqlValue& a, const FqlValue& b);

// For `<`, `<=`, `>`, `>=`: unordered, so that all are false, for unrelated kinds and for NaN. An
// id is comparable with numbers and with texts of digits.
Result<std::partial_ordering> compare(Meter& meter, const FqlValue& a, const FqlValue& b);
std::partial_ordering compare(const FqlValue& a, const FqlValue& b);

// `==`, also used by includes() and indexOf(): numbers by value; an id equals its digits as text or
// number; arrays and objects by content, objects in any order.
Result<bool> equal(Meter& meter, const FqlValue& a, const FqlValue& b);
bool equal(const FqlValue& a, const FqlValue& b);

}  // namespace mayfly::fauna
