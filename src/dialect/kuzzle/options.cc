#include "dialect/kuzzle/options.h"

#include <string>

namespace mayfly {

namespace {

const Settings::Table kuzzle_rows = {
    {.name = "kuzzle.services.garbageCollector.cleanInterval",
     .kind = SettingKind::integer,
     .initial = "86400000",
     .help = "Milliseconds between two passes of the Kuzzle API's garbage collector over the "
             "trashcans. The first pass begins this long after the start.",
     .placeholder = "MILLISECONDS",
     .least = 1,
     .most = 31'536'000'000},
    {.name = "kuzzle.services.garbageCollector.maxDelete",
     .kind = SettingKind::integer,
     .initial = "1000",
     .help = "The number of documents that one pass deletes from the trashcan of one collection, "
             "the oldest first.",
     .placeholder = "N",
     .least = 1,
     .most = 100'000},
    {.name = "kuzzle.services.garbageCollector.retry",
     .kind = SettingKind::integer,
     .initial = "3600000",
     .help = "Milliseconds by which a pass is postponed while the Kuzzle API is overloaded.",
     .placeholder = "MILLISECONDS",
     .least = 1,
     .most = 31'536'000'000},
    {.name = "kuzzle.limits.concurrentRequests",
     .kind = SettingKind::integer,
     .initial = "50",
     .help = "The number of requests to the Kuzzle API that can run before further requests count "
             "as buffered. While requests are buffered, the API is overloaded and its garbage "
             "collector waits.",
     .placeholder = "N",
     .least = 1,
     .most = 1000000},
    {.name = "kuzzle.limits.requestsBufferSize",
     .kind = SettingKind::integer,
     .initial = "50000",
     .help = "The number of requests to the Kuzzle API that can be buffered. Further requests get "
             "status 503.",
     .placeholder = "N",
     .least = 1,
     .most = 1000000},
    {.name = "kuzzle.limits.requestsBufferWarningThreshold",
     .kind = SettingKind::integer,
     .initial = "5000",
     .help = "With more buffered requests than this, the server logs `core:overload`, at most "
             "every half second.",
     .placeholder = "N",
     .least = 0,
     .most = 1000000},
    {.name = "kuzzle.limits.documentsFetchCount",
     .kind = SettingKind::integer,
     .initial = "1000",
     .help = "The number of documents that one request to the Kuzzle API can fetch.",
     .placeholder = "N",
     .least = 1,
     .most = 10000},
    {.name = "kuzzle.limits.documentsWriteCount",
     .kind = SettingKind::integer,
     .initial = "200",
     .help = "The number of documents that one request to the Kuzzle API can write.",
     .placeholder = "N",
     .least = 1,
     .most = 10000},
    {.name = "kuzzle.limits.loginsPerSecond",
     .kind = SettingKind::integer,
     .initial = "50",
     .help = "The number of login attempts per second on one WebSocket of the Kuzzle API. Further "
             "attempts get status 429.",
     .placeholder = "N",
     .least = 1,
     .most = 1000000},
    {.name = "kuzzle.limits.subscriptionConditionsCount",
     .kind = SettingKind::integer,
     .initial = "16",
     .help = "The number of conditions that the filter of one subscription to the Kuzzle API can "
             "have.",
     .placeholder = "N",
     .least = 1,
     .most = 256},
    {.name = "kuzzle.limits.subscriptionRooms",
     .kind = SettingKind::integer,
     .initial = "100000",
     .help = "The number of real-time rooms of the Kuzzle API. A room is one collection with one "
             "filter that has subscribers. Each room needs some kilobytes of memory.",
     .placeholder = "N",
     .least = 1,
     .most = 1000000},
    {.name = "kuzzle.stats.statsInterval",
     .kind = SettingKind::integer,
     .initial = "10",
     .help = "Seconds that one frame of the Kuzzle API's statistics covers.",
     .placeholder = "SECONDS",
     .least = 1,
     .most = 86400},
    {.name = "kuzzle.stats.ttl",
     .kind = SettingKind::integer,
     .initial = "3600",
     .help = "Seconds for which frames of the Kuzzle API's statistics are kept.",
     .placeholder = "SECONDS",
     .least = 1,
     .most = 86400},
    {.name = "kuzzle.searchRefreshInterval",
     .kind = SettingKind::integer,
     .initial = "0",
     .help = "Milliseconds until searches and counts of the Kuzzle API find a write, unless the "
             "client requests a refresh. With 0 they find it immediately.",
     .placeholder = "MILLISECONDS",
     .least = 0,
     .most = 60000},
    {.name = "kuzzle.jwtInUrls",
     .kind = SettingKind::boolean,
     .initial = "false",
     .help = "Accepts the token of a request to the Kuzzle API as `?jwt=` in the URL, for example "
             "in links to exports. Proxies and browsers keep URLs in logs and histories."},
    {.name = "kuzzle.version",
     .initial = "1",
     .help = "The version of Kuzzle whose answers a client gets that does not name its library: "
             "`1` is 1.2. A request can name another one: with `?kuzzleVersion=` in the URL, or "
             "in the header `X-Kuzzle-Version`.",
     .choices = {"1", "1.12", "2"}}};

}  // namespace

Settings::Table kuzzle_settings() {
  return kuzzle_rows;
}

KuzzleOptions kuzzle_options(const Settings& settings) {
  const auto count = [&](const char* name) {
    return static_cast<std::size_t>(settings.integer(std::string("kuzzle.") + name));
  };
  const auto millis = [&](const char* name) {
    return Span::millis(settings.integer(std::string("kuzzle.") + name));
  };
  const auto* generation = kuzzle::generation_of_version(settings.text("kuzzle.version"));
  return {.collector = {.every = millis("services.garbageCollector.cleanInterval"),
                        .documents_max = count("services.garbageCollector.maxDelete"),
                        .retry_after = millis("services.garbageCollector.retry")},
          .running_max = count("limits.concurrentRequests"),
          .buffered_max = count("limits.requestsBufferSize"),
          .buffered_warning = count("limits.requestsBufferWarningThreshold"),
          .fetched_max = count("limits.documentsFetchCount"),
          .written_max = count("limits.documentsWriteCount"),
          .logins_max = count("limits.loginsPerSecond"),
          .conditions_max = count("limits.subscriptionConditionsCount"),
          .rooms_max = count("limits.subscriptionRooms"),
          .frame_every = Span::seconds(settings.integer("kuzzle.stats.statsInterval")),
          .frames_kept_for = Span::seconds(settings.integer("kuzzle.stats.ttl")),
          .found_after = millis("searchRefreshInterval"),
          .takes_tokens_in_urls = settings.flag("kuzzle.jwtInUrls"),
          .unnamed_generation = generation != nullptr ? generation : &kuzzle::generations::v1};
}

}  // namespace mayfly
