// The body of a query: {"query": template, "arguments"?: {name: value, …}}.
//
//   template := text | {"fql": [text or template, …]} | {"value": tagged value}
//             | {"object": {name: template, …}} | {"array": [template, …]}
//
// A template becomes one text of FQL. What it holds as a value never becomes text: where it stands,
// the text has a placeholder. Templates within "fql" are spliced in; within "object" and "array"
// FQL stands in parentheses. Objects and arrays of nothing but values are values themselves.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "dialect/fauna/values/value.h"
#include "dialect/fauna/wire/formats/format.h"
#include "dialect/fauna/wire/names.h"

namespace mayfly::fauna {

// A value that stands before the byte at `offset`; several may stand before the same byte, in their
// order. Whatever stands before and behind it are tokens of their own.
struct Placeholder {
  std::size_t offset = 0;
  std::size_t value = 0;  // its number among QueryText::values
};

// A value of the template that stands for nothing: `reason` is "no such module 'X'". The query then
// fails with invalid_query, with `error: reason` and the place of the placeholder.
struct BadValue {
  std::size_t offset = 0;
  std::string reason;
};

struct QueryText {
  std::string text;
  std::vector<Placeholder> placeholders;  // by offset
  std::vector<FqlValue> values;
  std::optional<BadValue> bad_value = {};  // the first
};

struct QueryBody {
  QueryText query;
  FqlObject arguments;
};

// Fails with invalid, and the message of invalid_request: "Invalid request body: …", "Invalid
// argument 'k': …". Arguments are tagged, but in the simple format.
Result<QueryBody> parse_body(std::string_view body, Format format, const Names& names);

}  // namespace mayfly::fauna
