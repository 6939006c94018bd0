// What the Cosmos DB dialect brings to the server.
#include "dialect/row.h"

#include "dialect/cosmos/cosmos.h"

namespace mayfly {

DialectRow cosmos_dialect() {
  return {
      .name = "cosmos",
      .title = "Cosmos DB API",
      .port = "8081",
      .wants_tls = true,
      .settings =
          {{.name = "cosmos.key",
            .initial = "",
            .help = "The key that signs requests to the Cosmos DB API, in base64. The default is "
                    "the well-known key of Cosmos DB emulators. If auth.keys or centrali.clients "
                    "is set, there is no default and the API refuses every request until you set "
                    "this key.",
            .placeholder = "KEY",
            .secret = true},
           {.name = "cosmos.read_key",
            .initial = "",
            .help = "A second key of the Cosmos DB API, in base64. It allows reading only.",
            .placeholder = "KEY",
            .secret = true}},
      .other_variables = {"MAYFLY_COSMOS_VECTORS"},  // of tests
      .closed_by = "cosmos.key",
      .make = make_cosmos};
}

}  // namespace mayfly
