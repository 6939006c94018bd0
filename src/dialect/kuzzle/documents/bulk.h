// bulk:import. Its lines come in pairs: what is to be done, and with what; a deletion has one.
#pragma once

#include <vector>

#include "dialect/kuzzle/call.h"
#include "dialect/kuzzle/realtime/realtime.h"

namespace mayfly::kuzzle {

// What Kuzzle says where a part of it was not.
inline constexpr const char* import_failed = "Some data was not imported.";

// Fails with too_large where one request writes more than limits::bulk_lines_max.
Result<void> check_bulk_count(std::size_t count);

struct Imported {
  Array items;   // what was done, one each document
  Array errors;  // what was not
};
// Into the collection that the call names, or those that the lines do; what is there already goes
// on. Fails where who asks may not write there.
Result<Imported> import_lines(const Call& call, const Array& sent);

// Lines for that place.
struct Fixture {
  realtime::CollectionName there;
  Value lines;  // an array
};
// All lines or none: with an error nothing is written. Where one commit has no room for all lines,
// this holds for lines of the wrong form, missing places and ids that are taken, which are checked
// before the first commit; commits before another error stay.
Result<Imported> import_whole(const Call& call, const std::vector<Fixture>& fixtures);

}  // namespace mayfly::kuzzle
