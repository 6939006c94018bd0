// What the Kuzzle dialect brings to the server.
#include "dialect/row.h"

#include "dialect/kuzzle/kuzzle.h"
#include "dialect/kuzzle/options.h"

namespace mayfly {

DialectRow kuzzle_dialect() {
  return {
      .name = "kuzzle",
      .title = "Kuzzle API",
      .port = "7512",
      .port_note = ", for HTTP and WebSocket",
      .answers_preflights = true,
      .settings = kuzzle_settings(),
      .metrics = {{"mayfly_kuzzle_requests_buffered", MetricKind::gauge,
                   "Requests to the Kuzzle API beyond those that may run at once."},
                  {"mayfly_kuzzle_requests_discarded_total", MetricKind::counter,
                   "Requests to the Kuzzle API discarded because the buffer was full."},
                  {"mayfly_kuzzle_overload_warnings_total", MetricKind::counter,
                   "Warnings of the Kuzzle API that its buffer is filling up (core:overload)."}},
      .closed_by = "a restricted role anonymous",
      .make_internal = hide_kuzzle_data,
      .make = make_kuzzle};
}

}  // namespace mayfly
