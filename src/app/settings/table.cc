#include "app/settings/table.h"

#include <fmt/format.h>

#include <deque>
#include <utility>

#include "app/dialects.h"
#include "app/settings/delivery.h"

namespace mayfly::app {
namespace {

// Keeps a text for the life of the process, because rows only refer to their texts.
std::string_view keep_text(std::string text) {
  static std::deque<std::string> texts;
  return texts.emplace_back(std::move(text));
}

// "the A API and the B API": those for which `fits` holds.
template <class Fits>
std::string apis(const Fits& fits) {
  std::vector<std::string> titles;
  for (const DialectRow& row : dialects()) {
    if (fits(row)) titles.push_back(fmt::format("the {}", row.title));
  }
  return enumerate(titles, "and");
}

SettingRow port_row(const DialectRow& host) {
  const std::string speaking = apis(
      [&](const DialectRow& row) { return row.name == host.name || row.guest_of == host.name; });
  return {.name = keep_text(port_setting(host)),
          .kind = SettingKind::port,
          .initial = host.port,
          .help = keep_text(fmt::format("The port of {}{}.", speaking, host.port_note)),
          .placeholder = "PORT"};
}

SettingRow tls_ports_row() {
  const std::string wanting = apis([](const DialectRow& row) { return row.wants_tls; });
  return {
      .name = "tls.ports",
      .initial = "auto",
      .help = keep_text(fmt::format("Which ports accept TLS besides plain HTTP. `auto` is every "
                                    "port if you set a certificate, and otherwise only the port of "
                                    "{}.",
                                    wanting)),
      .choices = {"auto", "all", "off"}};
}

SettingRow keys_row() {
  const std::string taking = apis([](const DialectRow& row) { return row.takes_keys; });
  return {.name = "auth.keys",
          .kind = SettingKind::list,
          .help = keep_text(fmt::format("Keys of {}. If neither {} is set, these APIs need no key.",
                                        taking, closing_settings("nor"))),
          .placeholder = "KEY",
          .secret = true};
}

SettingRow with_closing_settings(SettingRow row) {
  const std::size_t at = row.help.find(closing_mark);
  if (at == std::string_view::npos) return row;
  std::string help(row.help);
  row.help = keep_text(help.replace(at, closing_mark.size(), closing_settings("or")));
  return row;
}

// Rows are grouped by topic; help, documentation and the start-up log have this order. The rows of
// ports come after these.
const Settings::Table places = {
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
};

// After the row of tls.ports.
const Settings::Table transport = {
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
};

// After the keys and the settings of the dialects.
const Settings::Table others = {
    {.name = "webhooks.allow_private",
     .kind = SettingKind::boolean,
     .initial = "false",
     .help = "Allows webhooks to call this machine and private networks. A user who can create a "
             "webhook can then reach services there."},
    {.name = "functions.allow_outbound",
     .kind = SettingKind::boolean,
     .initial = "false",
     .help = "Allows compute functions to make requests over HTTP, to public addresses unless "
             "webhooks.allow_private is set."},
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
             "Answers stay exact, but no expiration is published until a read of the trash "
             "records those that move documents into it."},

    {.name = "backup.directory",
     .initial = "",
     .help = "The directory for backups. The server creates it if it is missing. If it is "
             "empty, the server makes no backups. On the same "
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

const std::vector<std::string_view> own_variables = {
    "MAYFLY_URL",      // for commands that call a server
    "MAYFLY_KEY",      // for commands that call a server
    "MAYFLY_KILL_AT",  // for crash tests: where the server is to end
    "MAYFLY_BINARY",   // for tests: the program to start
    "MAYFLY_LOSSES",   // this and the following: for tests
    "MAYFLY_OWN_NAMESPACE", "MAYFLY_REWRITE", "MAYFLY_BENCH_DIR", "MAYFLY_TEST_DIRECTORY",
};

}  // namespace

const Settings::Table& settings_table() {
  static const Settings::Table table = [] {
    Settings::Table t = places;
    const auto add = [&t](const Settings::Table& rows) {
      t.insert(t.end(), rows.begin(), rows.end());
    };
    for (const DialectRow& row : dialects()) {
      if (row.guest_of.empty()) t.push_back(port_row(row));
    }
    t.push_back(tls_ports_row());
    add(transport);
    t.push_back(keys_row());
    for (const DialectRow& row : dialects()) {
      for (const SettingRow& setting : row.settings) t.push_back(with_closing_settings(setting));
    }
    add(nats_settings());
    add(others);
    return t;
  }();
  return table;
}

const std::vector<std::string_view>& other_variables() {
  static const std::vector<std::string_view> variables = [] {
    std::vector<std::string_view> all = own_variables;
    for (const DialectRow& row : dialects()) {
      all.insert(all.end(), row.other_variables.begin(), row.other_variables.end());
    }
    return all;
  }();
  return variables;
}

}  // namespace mayfly::app
