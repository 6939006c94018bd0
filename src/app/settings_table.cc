#include "app/settings_table.h"

namespace mayfly::app {
namespace {

// Grouped by what they concern; help, documentation and the start-up log keep this order.
const Settings::Table setting_rows = {
    {.name = "config",
     .initial = "",
     .help = "A TOML file with settings. The file itself cannot set it.",
     .placeholder = "FILE",
     .scope = SettingScope::not_in_file},
    {.name = "data",
     .initial = "./mayfly-data",
     .help = "The data directory. The server creates it if it is missing. `:memory:` keeps all "
             "data in memory and writes nothing to disk.",
     .placeholder = "DIR"},
    {.name = "host",
     .initial = "127.0.0.1",
     .help = "The address to listen on. `0.0.0.0` is every IPv4 address of this machine.",
     .placeholder = "ADDRESS"},
    {.name = "native.port",
     .kind = SettingKind::port,
     .initial = "7007",
     .help = "The port of the native API and the Centrali API.",
     .placeholder = "PORT"},
    {.name = "cosmos.port",
     .kind = SettingKind::port,
     .initial = "8081",
     .help = "The port of the Cosmos DB API.",
     .placeholder = "PORT"},
    {.name = "kuzzle.port",
     .kind = SettingKind::port,
     .initial = "7512",
     .help = "The port of the Kuzzle API, for HTTP and WebSocket.",
     .placeholder = "PORT"},
    {.name = "tls.ports",
     .initial = "auto",
     .help = "Which ports accept TLS besides plain HTTP. `auto` is every port if you set a "
             "certificate, and otherwise only the port of the Cosmos DB API.",
     .choices = {"auto", "all", "off"}},
    {.name = "tls.certificate",
     .initial = "",
     .help = "A PEM file: the server's certificate, then the certificates that lead to its root. "
             "If it is empty, the server creates its own certificate.",
     .placeholder = "FILE"},
    {.name = "tls.key",
     .initial = "",
     .help = "A PEM file with the key of the certificate. The key has no password.",
     .placeholder = "FILE"},
    {.name = "tls.plain",
     .initial = "on",
     .help = "`off` makes every port accept TLS only and refuse plain HTTP.",
     .choices = {"on", "off"}},
    {.name = "clock",
     .initial = "system",
     .help = "`system` is the machine's time. `virtual` is a clock that stands still until you "
             "move it. It starts at the time of the data, and with a new directory at the "
             "machine's time without its fraction of a second. `virtual:TIME` starts it at an "
             "RFC 3339 time. If the time of the "
             "data is later, it starts there, and the server logs a warning.",
     .placeholder = "CLOCK"},

    {.name = "insecure",
     .kind = SettingKind::boolean,
     .initial = "false",
     .help = "Allows a server without keys to listen on addresses that other machines reach, and "
             "to answer under any host name."},
    {.name = "auth.keys",
     .kind = SettingKind::list,
     .help = "Keys of the native API and the Centrali API. If neither auth.keys nor "
             "centrali.clients is set, these APIs need no key.",
     .placeholder = "KEY",
     .secret = true},
    {.name = "centrali.clients",
     .kind = SettingKind::list,
     .help = "Service accounts of the Centrali API, each as `id:secret`.",
     .placeholder = "ID:SECRET",
     .secret = true},
    {.name = "cosmos.key",
     .initial = "",
     .help = "The key that signs requests to the Cosmos DB API, in base64. The default is the "
             "well-known key of Cosmos DB emulators. If auth.keys or centrali.clients is set, "
             "there is no default and the API refuses every request until you set this key.",
     .placeholder = "KEY",
     .secret = true},
    {.name = "cosmos.read_key",
     .initial = "",
     .help = "A second key of the Cosmos DB API, in base64. It allows reading only.",
     .placeholder = "KEY",
     .secret = true},
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
    {.name = "webhooks.allow_private",
     .kind = SettingKind::boolean,
     .initial = "false",
     .help = "Allows webhooks to call this machine and private networks. A user who can create a "
             "webhook can then reach services there."},
    {.name = "cors.origins",
     .kind = SettingKind::list,
     .initial = "loopback",
     .help = "Origins whose web pages can call the server. `loopback` is every page of this "
             "machine on any port, `*` is every page but one of origin `null`. Requests of other "
             "pages are refused. Write "
             "an origin as browsers send it: `https://app.example.com`, without a path. Your "
             "value replaces `loopback`: list it as well to keep the pages of this machine.",
     .placeholder = "ORIGIN"},
    {.name = "hosts",
     .kind = SettingKind::list,
     .help = "Host names by which clients can call this server, besides `localhost` and its "
             "addresses, without a scheme or a port. Ports check the name only if they need no "
             "credentials or only the well-known key, and not if `insecure` is set.",
     .placeholder = "NAME"},

    {.name = "threads",
     .kind = SettingKind::integer,
     .initial = "0",
     .help = "Threads that serve connections. 0 is one per core, four at most.",
     .placeholder = "N",
     .most = 64},
    {.name = "workers",
     .kind = SettingKind::integer,
     .initial = "2",
     .help = "How many requests that take long (20 ms and more) run at once.",
     .placeholder = "N",
     .least = 1,
     .most = 64},
    {.name = "requests",
     .kind = SettingKind::integer,
     .initial = "512",
     .help = "The number of requests that can wait for a worker or the disk. Further requests are "
             "refused with `Retry-After`.",
     .placeholder = "N",
     .least = 1,
     .most = 1 << 20},
    {.name = "request_seconds",
     .kind = SettingKind::integer,
     .initial = "30",
     .help = "Seconds that a request can wait and run.",
     .placeholder = "N",
     .least = 1,
     .most = 3'600},
    {.name = "cache_mib",
     .kind = SettingKind::integer,
     .initial = "256",
     .help = "Memory for the block cache of the store, in MiB.",
     .placeholder = "N",
     .least = 8,
     .most = 1 << 20},
    {.name = "sweeper.paused",
     .kind = SettingKind::boolean,
     .initial = "false",
     .help = "Starts with the sweeper paused, the background task that records expirations. "
             "Answers stay exact, but no expiration is published."},

    {.name = "backup.directory",
     .initial = "",
     .help = "The directory for backups. If it is empty, the server makes no backups. On the same "
             "disk as the data a backup needs little space at first.",
     .placeholder = "DIR"},

    {.name = "log.level",
     .initial = "info",
     .help = "The lowest level that is logged.",
     .choices = {"debug", "info", "warn", "error", "off"}},
    {.name = "log.format",
     .initial = "text",
     .help = "`text` for people, `json` for machines.",
     .choices = {"text", "json"}},
    {.name = "log.access",
     .kind = SettingKind::boolean,
     .initial = "false",
     .help = "Logs each request: method, target without secrets, status, bytes and duration."},
};

const std::vector<std::string_view> rows_of_others = {
    "MAYFLY_KEY",             // of the commands that call a server
    "MAYFLY_KILL_AT",         // where tests of crashes end the server
    "MAYFLY_BINARY",          // the program that tests start
    "MAYFLY_COSMOS_VECTORS",  // these and the following: of tests
    "MAYFLY_LOSSES",
    "MAYFLY_OWN_NAMESPACE",
    "MAYFLY_REWRITE",
    "MAYFLY_BENCH_DIR",
    "MAYFLY_TEST_DIRECTORY",
};

}  // namespace

const Settings::Table& settings_table() {
  return setting_rows;
}

const std::vector<std::string_view>& other_variables() {
  return rows_of_others;
}

}  // namespace mayfly::app
