// The Kuzzle dialect: indexes, collections and documents over HTTP and WebSocket, with the metadata
// and the trashcan of Kuzzle 1.x, in three generations of its API (1.2, 1.12 and 2); see
// docs/dialects/kuzzle.md.
#pragma once

#include <memory>

#include "dialect/dialect.h"

namespace mayfly {

struct DialectRow;     // dialect/row.h
struct KuzzleOptions;  // options.h

// The row that registers the dialect with the server.
DialectRow kuzzle_dialect();
// Makes the dialect with the options of the settings, or with these. What `services` refers to
// outlives it.
std::unique_ptr<Dialect> make_kuzzle(const Services& services);
std::unique_ptr<Dialect> make_kuzzle(const Services& services, const KuzzleOptions& options);

}  // namespace mayfly
