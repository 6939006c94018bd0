// The target of a simulation, and everything that has arrived there.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "delivery/target.h"

namespace mayfly::simulate::deliveries {

// Outlives servers.
struct Arrivals {
  explicit Arrivals(std::uint64_t seed) : random(seed) {}

  bool fails = true;  // at random
  bool is_closed = false;
  Random random;
  std::map<std::string, std::vector<std::string>> taken;  // ids of messages, by subscriptions
  std::vector<std::pair<delivery::Target::Done, delivery::AttemptOutcome>> late;
  std::size_t count = 0;

  // Ends one of the attempts in progress.
  void end_one() {
    if (late.empty()) return;
    auto [done, outcome] = std::exchange(late[random.below(late.size())], std::move(late.back()));
    late.pop_back();
    done(std::move(outcome));
  }
};

class SimulatedTarget final : public delivery::Target {
 public:
  explicit SimulatedTarget(Arrivals& arrivals) : arrivals_(arrivals) {}

  std::string_view kind() const override { return "simulated"; }
  Result<Object> settings_of(const Object& asked) const override { return asked; }
  Object shown(const Object& settings) const override { return settings; }
  std::size_t at_once() const override { return 5; }
  std::optional<std::string> closed() const override {
    return arrivals_.is_closed ? std::optional<std::string>("closed") : std::nullopt;
  }
  void send(const delivery::DeliveryAttempt& attempt, Done done) override;

 private:
  Arrivals& arrivals_;
};

}  // namespace mayfly::simulate::deliveries
