// What operators choose for the Kuzzle API. Each has a row of the settings, with the name that
// Kuzzle gives it.
#pragma once

#include <cstddef>

#include "base/clock.h"
#include "base/service/settings.h"
#include "dialect/kuzzle/limits.h"
#include "dialect/kuzzle/realtime/limits.h"
#include "dialect/kuzzle/requests/message.h"

namespace mayfly {

// services.garbageCollector: how the trashcans are emptied, in passes.
struct TrashCollector {
  Span every = Span::seconds(86'400);       // from the start, or the end of a pass, to the next
  std::size_t documents_max = 1'000;        // of one collection in one pass, the oldest first
  Span retry_after = Span::seconds(3'600);  // a pass that an overloaded server has put off
};

struct KuzzleOptions {
  TrashCollector collector = {};
  // limits.concurrentRequests, .requestsBufferSize and .requestsBufferWarningThreshold: see load.h.
  std::size_t running_max = 50;
  std::size_t buffered_max = 50'000;
  std::size_t buffered_warning = 5'000;
  // limits.documentsFetchCount and .documentsWriteCount: of one request.
  std::size_t fetched_max = limits::documents_fetch_max;
  std::size_t written_max = limits::documents_write_max;
  // limits.loginsPerSecond: tries on one WebSocket.
  std::size_t logins_max = 50;
  // limits.subscriptionConditionsCount, of one filter, and .subscriptionRooms, of them all.
  std::size_t conditions_max = 16;
  std::size_t rooms_max = limits::realtime_rooms_max;
  // stats.statsInterval and .ttl: of the frames that statistics are told in.
  Span frame_every = Span::seconds(10);
  Span frames_kept_for = Span::seconds(3'600);
  // searchRefreshInterval: how long a write is hidden from searches; zero: not at all.
  Span found_after = {};
  // jwtInUrls: whether `?jwt=` in an address is taken for a token.
  bool takes_tokens_in_urls = false;
  // version: whose answers a client gets that names neither its library nor a version.
  kuzzle::Shape unnamed_shape = kuzzle::Shape::v1;
  // Other machines reach the port, and `insecure` does not allow it to be open: a role anonymous
  // that allows everything allows nothing, as with auth.keys.
  bool is_reached_by_others = false;
};

// The rows of the settings, and what they say. Whether others reach the port is for the server to
// say.
Settings::Table kuzzle_settings();
KuzzleOptions kuzzle_options(const Settings& settings);

}  // namespace mayfly
