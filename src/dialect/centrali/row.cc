// What the Centrali dialect brings to the server.
#include "dialect/row.h"

#include "dialect/centrali/centrali.h"

namespace mayfly {

DialectRow centrali_dialect() {
  return {.name = "centrali",
          .title = "Centrali API",
          .guest_of = "native",
          .settings = {{.name = "centrali.clients",
                        .kind = SettingKind::list,
                        .help = "Service accounts of the Centrali API, each as `id:secret`.",
                        .placeholder = "ID:SECRET",
                        .secret = true}},
          .takes_keys = true,
          .closing_setting = "centrali.clients",
          .make_internal = hide_centrali_data,
          .make = make_centrali};
}

}  // namespace mayfly
