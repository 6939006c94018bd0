// The metrics of the server, one row each; docs/metrics.md is generated from them.
#pragma once

#include "app/metrics/inspection.h"
#include "base/service/metrics.h"
#include "db/database.h"
#include "delivery/deliveries.h"
#include "net/server.h"

namespace mayfly::app {

const Metrics::Table& metrics_table();

struct MetricSources {
  Database& database;
  const net::Server& server;
  const Inspection& inspection;
  const delivery::Deliveries& deliveries;
  bool is_virtual = false;  // whether the clock is virtual
};
// Connects every row with the source of its number. All of `sources` outlives the last reading of
// the metrics.
void watch(Metrics& metrics, const MetricSources& sources);

}  // namespace mayfly::app
