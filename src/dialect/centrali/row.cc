// What the Centrali dialect brings to the server.
#include "dialect/row.h"

#include "dialect/centrali/centrali.h"
#include "dialect/centrali/options.h"

namespace mayfly {

DialectRow centrali_dialect() {
  return {.name = "centrali",
          .title = "Centrali API",
          .guest_of = "native",
          .settings = centrali_settings(),
          .takes_keys = true,
          .closing_setting = "centrali.clients",
          .check = check_centrali_settings,
          .make_internal = hide_centrali_data,
          .make = make_centrali};
}

}  // namespace mayfly
