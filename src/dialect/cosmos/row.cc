// The row by which the server knows the Cosmos DB dialect.
#include "dialect/row.h"

#include "dialect/cosmos/cosmos.h"
#include "dialect/cosmos/options.h"

namespace mayfly {
namespace {

bool takes_well_known_key(const Settings& settings, const Credentials& credentials, bool) {
  return credentials.is_open() && settings.text("cosmos.key").empty();
}

}  // namespace

DialectRow cosmos_dialect() {
  return {.name = "cosmos",
          .title = "Cosmos DB API",
          .port = "8081",
          .wants_tls = true,
          .settings = cosmos_settings(),
          .other_variables = {"MAYFLY_COSMOS_VECTORS"},  // of tests
          .check = check_cosmos_settings,
          .exposed = {.by_settings = takes_well_known_key,
                      .why = " with the Cosmos DB API, which accepts the key that all emulators "
                             "have: set cosmos.key, set cosmos.port to off,"},
          .make = make_cosmos};
}

}  // namespace mayfly
