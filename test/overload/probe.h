// Measurements while the server is under load or attack: how long /health takes, how long one
// further client waits, and how much memory the process has.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/process.h"
#include "overload/attackers.h"

namespace mayfly::overload {

class Probe {
 public:
  // `request` gives the requests of the further client, one after the other; null: none.
  explicit Probe(const bench::ServerProcess& server,
                 std::function<std::string()> request = nullptr);

  struct Seen {
    double health_p99_millis = 0;
    double health_max_millis = 0;
    std::uint64_t answers = 0;     // of /health, with status 200
    std::uint64_t failures = 0;    // of /health: refused, or not answered
    double beside_p99_millis = 0;  // of accepted requests of the further client
    double resident_max_mib = 0;
  };
  // Ends the probing.
  Seen seen();

 private:
  void look(const bench::ServerProcess& server, const std::atomic<bool>& is_over);
  void ask_beside(std::uint16_t port);

  const std::function<std::string()> request_;
  int beside_ = -1;  // connection of the further client
  std::vector<double> millis_;
  std::vector<double> beside_millis_;
  Seen seen_;
  std::unique_ptr<Background> background_;  // last, because it writes the members above
};

}  // namespace mayfly::overload
