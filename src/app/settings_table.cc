#include "app/settings_table.h"

namespace mayfly::app {
namespace {

// Grouped by what they concern; help, documentation and the start-up log keep this order.
const Settings::Table rows = {
    {.name = "config",
     .initial = "",
     .help = "A file of settings in TOML.",
     .placeholder = "FILE",
     .scope = SettingScope::flag_only},
    {.name = "data",
     .initial = "./mayfly-data",
     .help = "The directory that holds the data, made if it is missing; `:memory:` keeps nothing.",
     .placeholder = "DIR"},
    {.name = "host",
     .initial = "127.0.0.1",
     .help = "The address to listen on; `0.0.0.0` is every address of this machine.",
     .placeholder = "ADDRESS"},
    {.name = "native.port",
     .kind = SettingKind::port,
     .initial = "7007",
     .help = "The port of the native API.",
     .placeholder = "PORT"},
    {.name = "cosmos.port",
     .kind = SettingKind::port,
     .initial = "8081",
     .help = "The port of the Cosmos DB API.",
     .placeholder = "PORT"},
    {.name = "tls.ports",
     .initial = "auto",
     .help = "The ports that take TLS beside plain HTTP: `auto` is all where a certificate is "
             "named, and else those whose clients insist on it, which is the Cosmos DB API's.",
     .choices = {"auto", "all", "off"}},
    {.name = "tls.certificate",
     .initial = "",
     .help = "A file in PEM: the certificate, and behind it those that lead to its root. While it "
             "is empty, the server makes one of its own.",
     .placeholder = "FILE"},
    {.name = "tls.key",
     .initial = "",
     .help = "A file in PEM: the key of the certificate, without a password.",
     .placeholder = "FILE"},
    {.name = "clock",
     .initial = "system",
     .help = "`system` for the machine's time, `virtual` for a clock that stands still until it is "
             "moved, `virtual:TIME` for one that starts at an RFC 3339 time.",
     .placeholder = "CLOCK"},

    {.name = "insecure",
     .kind = SettingKind::boolean,
     .initial = "false",
     .help = "Lets a server without keys listen where other machines reach it."},
    {.name = "auth.keys",
     .kind = SettingKind::list,
     .help = "Keys of the native API; while there is none, no key is asked for.",
     .placeholder = "KEY",
     .secret = true},
    {.name = "centrali.clients",
     .kind = SettingKind::list,
     .help = "Service accounts of the Centrali API, each as `id:secret`.",
     .placeholder = "ID:SECRET",
     .secret = true},
    {.name = "cosmos.key",
     .initial = "",
     .help =
         "The key that requests to the Cosmos DB API are signed with, in base64; while there is "
         "none, the one that emulators are known by.",
     .placeholder = "KEY",
     .secret = true},
    {.name = "cosmos.read_key",
     .initial = "",
     .help = "A second key for the Cosmos DB API, for reading only.",
     .placeholder = "KEY",
     .secret = true},
    {.name = "webhooks.allow_private",
     .kind = SettingKind::boolean,
     .initial = "false",
     .help = "Lets webhooks call this machine and private networks. Whoever may set up a webhook "
             "can then reach what listens there."},
    {.name = "cors.origins",
     .kind = SettingKind::list,
     .initial = "loopback",
     .help = "Origins whose pages may call from a browser; `loopback` for this machine's on any "
             "port, `*` for all.",
     .placeholder = "ORIGIN"},

    {.name = "threads",
     .kind = SettingKind::integer,
     .initial = "0",
     .help = "Threads that serve connections; 0 for one a core, four at most.",
     .placeholder = "N",
     .most = 64},
    {.name = "workers",
     .kind = SettingKind::integer,
     .initial = "2",
     .help = "Threads for requests that take long.",
     .placeholder = "N",
     .least = 1,
     .most = 64},
    {.name = "requests",
     .kind = SettingKind::integer,
     .initial = "512",
     .help =
         "Requests that may wait for a worker or the disk at once; more are told to come later.",
     .placeholder = "N",
     .least = 1,
     .most = 1 << 20},
    {.name = "request_seconds",
     .kind = SettingKind::integer,
     .initial = "30",
     .help = "How long a request may wait and work, in seconds.",
     .placeholder = "N",
     .least = 1,
     .most = 3'600},
    {.name = "cache_mib",
     .kind = SettingKind::integer,
     .initial = "256",
     .help = "Memory for stored blocks, in MiB.",
     .placeholder = "N",
     .least = 8,
     .most = 1 << 20},
    {.name = "sweeper.paused",
     .kind = SettingKind::boolean,
     .initial = "false",
     .help =
         "Starts with the sweeper paused. No answer depends on it, but no expiry is announced."},

    {.name = "backup.directory",
     .initial = "",
     .help =
         "Where backups are put; while it is empty, none are made. On the disk of the data they "
         "cost little room.",
     .placeholder = "DIR"},

    {.name = "log.level",
     .initial = "info",
     .help = "The least grave events that are logged.",
     .choices = {"debug", "info", "warn", "error", "off"}},
    {.name = "log.format",
     .initial = "text",
     .help = "Lines for people or for machines.",
     .choices = {"text", "json"}},
};

}  // namespace

const Settings::Table& settings_table() {
  return rows;
}

}  // namespace mayfly::app
