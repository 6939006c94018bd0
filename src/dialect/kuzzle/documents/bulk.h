// bulk:import. Its lines come in pairs: an operation and its data. A deletion has one line only; it
// is permanent, the document does not go to the trashcan.
#pragma once

#include <vector>

#include "dialect/kuzzle/call.h"
#include "dialect/kuzzle/realtime/realtime.h"

namespace mayfly::kuzzle {

// Kuzzle's message if a part of the import failed.
inline constexpr const char* import_failed = "Some data was not imported.";

// Fails with too_large if one request has more lines than limits::bulk_lines_max.
Result<void> check_bulk_count(std::size_t count);

struct ImportResult {
  Array items;   // one result for each document that was written
  Array errors;  // one error for each document that was not
};
// Imports into the collection that the call names, or those that the lines name, in as many commits
// as needed. A document that cannot be written does not stop the others. Fails before any write
// with invalid if a line is malformed, and with forbidden if the user may not write to one of the
// collections.
Result<ImportResult> import_lines(const KuzzleCall& call, const Array& sent);

// Lines for one collection.
struct Fixture {
  realtime::CollectionName there;
  Value lines;  // an array
};
// Imports all lines or none: after an error nothing is written. Errors of single documents are in
// the result, as above. If the lines do not fit one commit, this holds only for malformed lines,
// missing collections and ids that exist already, which are checked before the first commit.
// Commits before any other error stay.
Result<ImportResult> import_all_or_nothing(const KuzzleCall& call,
                                           const std::vector<Fixture>& fixtures);

}  // namespace mayfly::kuzzle
