// How much each client uses of a shared resource, such as the memory for bodies, so that one client
// cannot take all of it.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <unordered_map>

namespace mayfly::net {

// A client is identified by its network (Peer::network). Threads: any.
class ClientShares {
 public:
  // Replaces the amount that one connection of the client has been counted with.
  void change(const std::string& network, std::size_t from, std::size_t to) {
    Part& part = part_of(network);
    const std::lock_guard lock(part.mutex);
    const auto held = part.amounts.try_emplace(network, 0).first;
    held->second += to - from;  // unsigned: wraps around if it shrinks
    if (held->second == 0) part.amounts.erase(held);
  }
  // Counts one more, unless the client already has `most`.
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
