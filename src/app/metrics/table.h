// What the server measures of itself, one row each; docs/metrics.md is written from them.
#pragma once

#include "app/metrics/inspection.h"
#include "base/service/metrics.h"
#include "db/database.h"
#include "delivery/deliveries.h"
#include "net/server.h"

namespace mayfly::app {

const Metrics::Table& metrics_table();

struct Measured {
  Database& database;
  const net::Server& server;
  const Inspection& inspection;
  const delivery::Deliveries& deliveries;
  bool is_virtual = false;  // the clock
};
// Lets every row ask where its number is kept. All of `measured` outlives the metrics' last
// reading.
void watch(Metrics& metrics, const Measured& measured);

}  // namespace mayfly::app
