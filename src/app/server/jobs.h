// The jobs of the server itself: the clock's floor, the look at overload and at the clock, and the
// counts that metrics show.
#pragma once

#include <cstdint>
#include <vector>

#include "app/metrics/inspection.h"
#include "db/database.h"
#include "db/jobs/jobs.h"
#include "net/server.h"

namespace mayfly::app {

// All of it outlives the jobs.
struct ServerParts {
  Database& database;
  const net::Server& server;
  Inspection& inspection;
  std::uint64_t requests_max = 0;  // under way at once
  bool is_virtual = false;         // the clock
};
std::vector<JobHandle> add_server_jobs(const ServerParts& parts);

}  // namespace mayfly::app
