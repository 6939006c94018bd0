// The row that registers the Kuzzle dialect with the server.
#include "dialect/row.h"

#include "dialect/kuzzle/kuzzle.h"
#include "dialect/kuzzle/options.h"
#include "dialect/kuzzle/security/store.h"

namespace mayfly {
namespace {

bool is_open_without_data(const Settings&, const Credentials& credentials, bool begins_empty) {
  return begins_empty && credentials.is_open();
}

}  // namespace

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
      .exposed = {.by_settings = is_open_without_data,
                  .why = " with the Kuzzle API, which accepts every request until its role "
                         "anonymous is restricted: set auth.keys, set kuzzle.port to off,"},
      .names_from_before = {{.name = kuzzle::visible_security_index, .to = kuzzle::security_index}},
      .make = make_kuzzle};
}

}  // namespace mayfly
