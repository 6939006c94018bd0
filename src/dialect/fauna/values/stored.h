// Converts FqlValue to its stored form and back. Kinds that Mayfly's values lack are stored as
// references to collections with names that users cannot choose: `#time`, `#id`, `#uuid`,
// `#module`.
#pragma once

#include <string_view>

#include "base/result.h"
#include "dialect/fauna/values/value.h"
#include "value/value.h"

namespace mayfly::fauna {

// The collection of the reference that represents an id.
inline constexpr std::string_view stored_id = "#id";

// Fails with invalid, with FQL's message for invalid_type: functions, sets and event sources cannot
// be stored, nor can dates outside the range of the store. TransactionTime must have been replaced
// by the actual time before.
Result<Value> to_stored(const FqlValue& value);
// Whole numbers become Int if they fit; a missing value becomes null. Accepts values that any
// dialect has stored.
FqlValue from_stored(const Value& value);
// The stored forms that where() compares a value with by `==`: of an id, also its digits as text
// and as number; of a text of digits, also that id; of any other value, only itself. So a number
// does not find the id that equals it (docs/dialects/fauna.md).
std::vector<Value> stored_equals(const Value& value);

// Built-in collections whose documents have names in place of ids: `Collection`, `Role` …
bool has_named_documents(std::string_view collection);

}  // namespace mayfly::fauna
