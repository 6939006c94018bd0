// What operators choose for the Kuzzle API. Each has a row in the table of settings, under the name
// that Kuzzle gives it.
#pragma once

#include <cstddef>

#include "base/clock.h"
#include "dialect/kuzzle/limits.h"

namespace mayfly {

struct KuzzleOptions {
  // limits.concurrentRequests, .requestsBufferSize and .requestsBufferWarningThreshold: see load.h.
  std::size_t running_max = 50;
  std::size_t buffered_max = 50'000;
  std::size_t buffered_warning = 5'000;
  // limits.documentsFetchCount and .documentsWriteCount: of one request.
  std::size_t fetched_max = limits::documents_fetch_max;
  std::size_t written_max = limits::documents_write_max;
  // stats.statsInterval and .ttl: of the frames that statistics are told in.
  Span frame_every = Span::seconds(10);
  Span frames_kept_for = Span::seconds(3'600);
  // searchRefreshInterval: how long a write is hidden from searches; zero: not at all.
  Span found_after = {};
};

}  // namespace mayfly
