// The jobs of the server itself: storing the clock's floor, checking overload and the clock, and
// counting documents for the metrics.
#pragma once

#include <cstdint>
#include <vector>

#include "app/metrics/inspection.h"
#include "db/database.h"
#include "db/jobs/jobs.h"
#include "net/server.h"

namespace mayfly::app {

// All members outlive the jobs.
struct ServerParts {
  Database& database;
  const net::Server& server;
  Inspection& inspection;
  std::uint64_t requests_max = 0;  // in progress at once
  bool is_virtual = false;         // whether the clock is virtual
};
std::vector<JobHandle> add_server_jobs(const ServerParts& parts);

}  // namespace mayfly::app
