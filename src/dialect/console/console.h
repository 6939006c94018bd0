// The console: pages in the browser that show a server and its documents, at /console on the native
// port. The server only sends their files; the pages themselves call the native API. So there is
// nothing to guard here: a key is asked for where the data is.
#pragma once

#include "dialect/row.h"

namespace mayfly {

DialectRow console_dialect();

}  // namespace mayfly
