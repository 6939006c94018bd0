// The body of a query: {"query": template, "arguments"?: {name: value, …}}.
//
//   template := text | {"fql": [text or template, …]} | {"value": tagged value}
//             | {"object": {name: template, …}} | {"array": [template, …]}
//
// A template becomes one text of FQL. Values never become text; the text has a placeholder for
// each. Templates within "fql" are inserted as they are; within "object" and "array", FQL is put in
// parentheses. Objects and arrays that contain only values are values themselves.
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

// A value to insert before the byte at `offset`. Several may have the same offset and keep their
// order. A placeholder separates the tokens before and after it.
struct Placeholder {
  std::size_t offset = 0;
  std::size_t value = 0;  // index in QueryText::values
};

// An invalid value in the template, for a `reason` such as "no such module 'X'". The query then
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

// Fails with invalid, with the message of invalid_request: "Invalid request body: …", "Invalid
// argument 'k': …". Arguments are in the tagged format; in the simple format they are plain JSON.
Result<QueryBody> parse_body(std::string_view body, Format format, const Names& names);

}  // namespace mayfly::fauna
