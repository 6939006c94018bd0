// What the native dialect brings to the server.
#include "dialect/row.h"

#include "dialect/native/native.h"

namespace mayfly {

DialectRow native_dialect() {
  return {.name = "native",
          .title = "native API",
          .port = "7007",
          .takes_keys = true,
          .closed_by = "auth.keys",
          .make = make_native};
}

}  // namespace mayfly
