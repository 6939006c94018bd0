// Registers the Fauna dialect with the server.
#include "dialect/row.h"

#include "dialect/fauna/fauna.h"
#include "dialect/fauna/options.h"

namespace mayfly {
namespace {

bool takes_well_known_secret(const Settings& settings, const Credentials& credentials, bool) {
  return credentials.is_open() && settings.text("fauna.secret").empty();
}

}  // namespace

DialectRow fauna_dialect() {
  return {.name = "fauna",
          .title = "Fauna API",
          .port = "8443",
          .answers_preflights = true,
          .settings = fauna_settings(),
          .check = check_fauna_settings,
          .exposed = {.by_settings = takes_well_known_secret,
                      .why = " with the Fauna API, which accepts the secret that Fauna's container "
                             "has: set fauna.secret, set fauna.port to off,"},
          .make = make_fauna};
}

}  // namespace mayfly
