// DialectRow: all that the server has to know of one dialect. Ports, settings, metrics and what
// starting checks and says are made from these rows; app/dialects.cc lists them.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "base/service/metrics.h"
#include "base/service/settings.h"
#include "db/catalog/names_from_before.h"
#include "dialect/dialect.h"

namespace mayfly {

// What a server that other machines reach, and that may not be open, is not started with.
struct Exposed {
  // Whether the settings alone leave the dialect open, on a server that may begin without data.
  // Null: its host tells. What the data say, Dialect::is_open() tells later.
  bool (*by_settings)(const Settings&, const Credentials&, bool begins_empty) = nullptr;
  // How the error goes on behind "listening on HOST", to end with "or pass --insecure".
  std::string_view why = {};
};

inline constexpr std::string_view closing_mark = "{closing}";

struct DialectRow {
  std::string_view name;   // of its port, in settings, metrics and logs
  std::string_view title;  // in texts: "NAME API"

  // The default of its setting NAME.port. Empty: it has none, and answers what it claims on the
  // port of the dialect `guest_of`, which answers the rest.
  std::string_view port = {};
  std::string_view port_note = {};  // what help adds to "The port of the TITLE"
  std::string_view guest_of = {};
  bool wants_tls = false;           // its clients insist on it
  bool answers_preflights = false;  // its clients look for more than headers in them

  // Its own. In their help, closing_mark stands for the settings that close the server.
  Settings::Table settings = {};
  std::vector<std::string_view> other_variables = {};  // MAYFLY_… that are no settings
  Metrics::Table metrics = {};                         // its own; it counts them itself

  bool takes_keys = false;  // whether a key of auth.keys is all that it asks for
  // A list of credentials of its own: once it is set, no dialect is open. Empty: it has none.
  std::string_view closing_setting = {};
  // Before anything is made on disk. Fails with invalid where one of its settings cannot be; hides
  // its secrets in logs. Null: there is nothing to check.
  Result<void> (*check)(const Settings&) = nullptr;
  Exposed exposed = {};

  std::vector<NameFromBefore> names_from_before = {};  // of its own data
  // The subjects of a message broker that it publishes to by itself, as patterns of NATS; no other
  // subject begins with the first token of one.
  std::vector<std::string_view> subjects = {};
  std::unique_ptr<Dialect> (*make)(const Services&) = nullptr;
};

}  // namespace mayfly
