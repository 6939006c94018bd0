// How much each client holds of what all share, as the memory for bodies, so that one client cannot
// take all of it.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <unordered_map>

namespace mayfly::net {

// Clients are told apart by their network (Peer::network). Threads: any.
class Shares {
 public:
  // Replaces what one connection of the client was counted with.
  void change(const std::string& network, std::size_t from, std::size_t to) {
    Part& part = part_of(network);
    const std::lock_guard lock(part.mutex);
    const auto held = part.amounts.try_emplace(network, 0).first;
    held->second += to - from;  // wraps where it shrinks
    if (held->second == 0) part.amounts.erase(held);
  }
  // Counts one more, unless the client holds `most` already.
  bool take_one(const std::string& network, std::size_t most) {
    Part& part = part_of(network);
    const std::lock_guard lock(part.mutex);
    const auto held = part.amounts.try_emplace(network, 0).first;
    const bool is_taken = held->second < most;
    if (is_taken) ++held->second;
    if (held->second == 0) part.amounts.erase(held);
    return is_taken;
  }
  std::size_t of(const std::string& network) {
    Part& part = part_of(network);
    const std::lock_guard lock(part.mutex);
    const auto held = part.amounts.find(network);
    return held == part.amounts.end() ? 0 : held->second;
  }

 private:
  struct Part {
    std::mutex mutex;
    std::unordered_map<std::string, std::size_t> amounts;  // none is zero
  };
  Part& part_of(const std::string& network) {
    return parts_[std::hash<std::string>()(network) % parts_.size()];
  }
  std::array<Part, 16> parts_;  // so that threads seldom wait for each other
};

}  // namespace mayfly::net
