// Cursors, with which a client reads the next page. A cursor holds the whole set, as the calls that
// made it, with the source and the captured values of its lambdas; the position of its reader; the
// page size; and the instant of the snapshot. So it stays valid after a restart and takes no memory
// of the server.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "dialect/fauna/sets/readers/reader.h"

namespace mayfly::fauna {

struct Cursor {
  SetPtr set;
  SetPosition position = {};
  std::size_t page_size = 16;
  // nullopt if the query that made the cursor had written before. Then the first query that uses
  // the cursor determines the snapshot.
  std::optional<Instant> snapshot = {};
};

// Fails with value_too_large over limits::fql_cursor_bytes_max.
Result<std::string> encode_cursor(Interpreter& run, const Cursor& cursor);
// Fails with invalid_cursor.
Result<Cursor> decode_cursor(Interpreter& run, const std::string& text);

// --- parts of cursors that tokens of event sources use as well ---
//
// Fails with unsupported if the set holds values that cannot be encoded, and with the query failure
// value_too_large if it takes more than about `bytes_max`.
Result<mayfly::Value> encode_set(Run& run, const FqlSet& set, std::size_t bytes_max);
Result<SetPtr> decode_set(Interpreter& run, const mayfly::Value& value);

}  // namespace mayfly::fauna
