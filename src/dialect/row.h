// DialectRow: everything that the server knows about one dialect. The server makes its ports,
// settings and metrics from these rows, and the checks and messages of its start. app/dialects.cc
// lists them. The texts of a row live as long as the process.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "base/service/metrics.h"
#include "base/service/settings.h"
#include "db/catalog/names_from_before.h"
#include "dialect/dialect.h"

namespace mayfly {

// When the server does not start because other machines could reach an open dialect
// (app/ports/exposure.h).
struct Exposed {
  // Whether the settings alone leave the dialect open. `begins_empty`: the server has no data yet.
  // Null: this is not checked; the row of a guest's host is checked for both. Once the data is
  // opened, Dialect::is_open() decides.
  bool (*by_settings)(const Settings&, const Credentials&, bool begins_empty) = nullptr;
  // The middle of the error message, between "listening on HOST" and "or pass --insecure".
  std::string_view why = {};
};

// Stands in the help of a setting for the names of the settings that close the server.
inline constexpr std::string_view closing_mark = "{closing}";

struct DialectRow {
  std::string_view name;   // of its port, in settings, metrics and logs
  std::string_view title;  // in texts: "NAME API"

  // The default of its setting NAME.port. Empty: it is a guest. A guest has no port; it answers the
  // paths that it claims on the port of its host, the dialect `guest_of`, which answers the others.
  std::string_view port = {};
  std::string_view port_note = {};  // follows "The port of the TITLE" in the help of the setting
  std::string_view guest_of = {};
  bool wants_tls = false;           // its clients require TLS
  bool answers_preflights = false;  // net::Preflights::by_handler: clients need more than headers

  Settings::Table settings = {};
  std::vector<std::string_view> other_variables = {};  // MAYFLY_… that are not settings
  Metrics::Table metrics = {};                         // the dialect itself counts them

  bool takes_keys = false;  // whether a key of auth.keys suffices as a credential
  // The name of its setting with a list of credentials. Once that is set, no dialect is open.
  // Empty: it has none.
  std::string_view closing_setting = {};
  // Called before anything is created on disk. Fails with invalid if one of its settings cannot be
  // used. Also hides its secrets in logs. Null: there is nothing to do.
  Result<void> (*check)(const Settings&) = nullptr;
  Exposed exposed = {};

  // Names under which earlier versions stored its own data.
  std::vector<NameFromBefore> names_from_before = {};
  // The subjects of a message broker to which it publishes without a client's subscription, as NATS
  // patterns. No client's subject may begin with the first token of one.
  std::vector<std::string_view> subjects = {};
  std::unique_ptr<Dialect> (*make)(const Services&) = nullptr;
};

}  // namespace mayfly
