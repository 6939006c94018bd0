// How FQL compares. Nothing here asks a database: a document is its reference here, so whether
// `doc == null` because no such document exists is for the caller to find out before.
#pragma once

#include <compare>
#include <string_view>

#include "base/result.h"
#include "dialect/fauna/values/value.h"
#include "expr/evaluation/meter.h"

namespace mayfly::fauna {

// By UTF-16 code units, as the JVM compares texts: characters beyond U+FFFF come before those from
// U+E000 on. Both are UTF-8.
std::strong_ordering order_texts(std::string_view a, std::string_view b);

// All that follows goes through both values as far as it takes to tell them apart, and takes steps
// of the meter for it; fails as the meter does. Without a meter: for what shares no parts and is
// bound in size, as what is stored is.

// The total order, by which order() sorts and arrays and objects compare: numbers < bytes < strings
// < arrays < objects < ids < documents < times < dates < UUIDs < booleans < modules < sets <
// functions < event sources < null. Numbers compare by value, NaN before all others and equal to
// itself. Objects compare as lists of members sorted by name. The time of the write under way is
// later than every other.
Result<std::strong_ordering> total_order(Meter& meter, const FqlValue& a, const FqlValue& b);
std::strong_ordering total_order(const FqlValue& a, const FqlValue& b);

// `<`, `<=`, `>`, `>=`: unordered, so that all are false, where the kinds have nothing to do with
// each other, and for NaN. An id compares with numbers, and with texts of digits.
Result<std::partial_ordering> compare(Meter& meter, const FqlValue& a, const FqlValue& b);
std::partial_ordering compare(const FqlValue& a, const FqlValue& b);

// `==`, as includes() and indexOf() have it too: numbers by value, ids equal their digits as text
// or number, arrays and objects by what they hold, in objects whatever its order.
Result<bool> equal(Meter& meter, const FqlValue& a, const FqlValue& b);
bool equal(const FqlValue& a, const FqlValue& b);

}  // namespace mayfly::fauna
