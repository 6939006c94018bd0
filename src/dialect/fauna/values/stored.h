// FqlValue as it is stored in documents, and back. What Mayfly's values have no kind for is a
// reference to a collection whose name no user's can be: `#time`, `#id`, `#uuid`, `#module`.
#pragma once

#include <string_view>

#include "base/result.h"
#include "dialect/fauna/values/value.h"
#include "value/value.h"

namespace mayfly::fauna {

// The collection of the reference that an ID is stored as.
inline constexpr std::string_view stored_id = "#id";

// Fails with invalid, in FQL's words for invalid_type: functions, sets and event sources are not
// stored, nor dates beyond the store's. What the time of the write under way is must have been put
// in its place before.
Result<Value> to_stored(const FqlValue& value);
// Whole numbers are Int where they fit; missing is null. Takes the values of every dialect.
FqlValue from_stored(const Value& value);
// All that is stored of values that are equal to this one by `==`, where it is an id or the digits
// of one: ids equal their digits. Of other values none but itself; of numbers that, too.
std::vector<Value> stored_equals(const Value& value);

// Built-in collections whose documents have names in place of ids: `Collection`, `Role` …
bool has_named_documents(std::string_view collection);

}  // namespace mayfly::fauna
