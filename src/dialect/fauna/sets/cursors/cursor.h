// Cursors: what a client goes on with. A cursor holds the whole set, as the calls that made it,
// with the source of its lambdas and what they have captured; where its reader stands; how large
// its pages are; and the instant whose members it shows. So it outlives a restart, and needs no
// memory of the server's.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "dialect/fauna/sets/readers/reader.h"

namespace mayfly::fauna {

struct Cursor {
  SetPtr set;
  SetPlace place = {};
  std::size_t page_size = 16;
  // Nothing: the query that made it had written; the first query that uses it says as of when.
  std::optional<Instant> snapshot = {};
};

// Fails with value_too_large over limits::fql_cursor_bytes_max.
Result<std::string> encode_cursor(Interpreter& run, const Cursor& cursor);
// Fails with invalid_cursor.
Result<Cursor> decode_cursor(Interpreter& run, const std::string& text);

// --- parts of it, which tokens of event sources hold, too ---
// Fails with unsupported where it holds what cannot be carried, and with the query's failure
// value_too_large where it takes more than about so many bytes.
Result<mayfly::Value> encode_set(Run& run, const FqlSet& set, std::size_t bytes_max);
Result<SetPtr> decode_set(Interpreter& run, const mayfly::Value& value);

}  // namespace mayfly::fauna
