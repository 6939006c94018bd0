// What an onlooker sees while the server is under attack: how long /health takes to answer, and how
// much memory the process has.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bench/process.h"
#include "overload/attackers.h"

namespace mayfly::overload {

class Probe {
 public:
  explicit Probe(const bench::ServerProcess& server);

  struct Seen {
    double health_p99_millis = 0;
    double health_max_millis = 0;
    std::uint64_t answers = 0;
    std::uint64_t failures = 0;  // refused, or not answered
    double resident_max_mib = 0;
  };
  // Ends the probing.
  Seen seen();

 private:
  void look(const bench::ServerProcess& server, const std::atomic<bool>& is_over);

  std::vector<double> millis_;
  Seen seen_;
  std::unique_ptr<Background> background_;  // last: it writes what is above
};

}  // namespace mayfly::overload
