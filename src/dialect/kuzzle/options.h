// The options of the Kuzzle API. Each has a row in the settings, under Kuzzle's name.
#pragma once

#include <cstddef>

#include "base/clock.h"
#include "base/service/settings.h"
#include "dialect/kuzzle/generations/generation.h"
#include "dialect/kuzzle/limits.h"
#include "dialect/kuzzle/realtime/limits.h"

namespace mayfly {

// services.garbageCollector: the passes that empty the trashcans.
struct TrashCollectorOptions {
  Span every =
      Span::seconds(86'400);          // from the start, or from the end of a pass, to the next pass
  std::size_t documents_max = 1'000;  // removed from one collection in one pass, oldest first
  Span retry_after = Span::seconds(3'600);  // after a pass was postponed by overload
};

struct KuzzleOptions {
  TrashCollectorOptions collector = {};
  // limits.concurrentRequests, .requestsBufferSize and .requestsBufferWarningThreshold; see load.h.
  std::size_t running_max = 50;
  std::size_t buffered_max = 50'000;
  std::size_t buffered_warning = 5'000;
  // limits.documentsFetchCount and .documentsWriteCount, for one request.
  std::size_t fetched_max = limits::documents_fetch_max;
  std::size_t written_max = limits::documents_write_max;
  // limits.loginsPerSecond: login attempts on one WebSocket.
  std::size_t logins_max = 50;
  // limits.subscriptionConditionsCount, for one filter, and .subscriptionRooms, for all.
  std::size_t conditions_max = 16;
  std::size_t rooms_max = limits::realtime_rooms_max;
  // stats.statsInterval and .ttl: the length of a statistics frame, and how long it is kept.
  Span frame_every = Span::seconds(10);
  Span frames_kept_for = Span::seconds(3'600);
  // searchRefreshInterval: how long searches do not find a write; zero: they find it immediately.
  Span found_after = {};
  // jwtInUrls: whether `?jwt=` in a URL is accepted as a token.
  bool takes_tokens_in_urls = false;
  // version: the answer format for a client that names neither its library nor a version.
  const kuzzle::Generation* unnamed_generation = &kuzzle::generations::v1;
  // Other machines reach the port, and `insecure` does not allow an open one. Then a role
  // `anonymous` that allows everything allows nothing, as if a setting closed the server.
  bool is_reached_by_others = false;
};

// The rows of the settings, and the options read from them. The server sets is_reached_by_others.
Settings::Table kuzzle_settings();
KuzzleOptions kuzzle_options(const Settings& settings);

}  // namespace mayfly
