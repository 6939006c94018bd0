// The row of the native dialect for the server.
#include "dialect/row.h"

#include "dialect/native/native.h"

namespace mayfly {
namespace {

bool needs_no_key(const Settings&, const Credentials& credentials, bool) {
  return credentials.is_open();
}

}  // namespace

DialectRow native_dialect() {
  return {.name = "native",
          .title = "native API",
          .port = "7007",
          .takes_keys = true,
          .exposed = {.by_settings = needs_no_key,
                      .why = " with the native API, which needs no key while none is configured: "
                             "set auth.keys, set native.port to off,"},
          .make = make_native};
}

}  // namespace mayfly
