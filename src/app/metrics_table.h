// What the server measures of itself, one row each; docs/metrics.md is written from them.
#pragma once

#include "base/metrics.h"
#include "db/database.h"
#include "net/server.h"

namespace mayfly::app {

const Metrics::Table& metrics_table();

// Lets every row ask where its number is kept. `database` and `server` outlive the metrics' last
// reading.
void watch(Metrics& metrics, Database& database, const net::Server& server);

}  // namespace mayfly::app
