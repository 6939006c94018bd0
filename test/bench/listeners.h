// Connections that receive events without requests: readers of feeds, subscribers.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/wire.h"

namespace mayfly::bench {

// Raises the bound of open files, whose default is too near to a thousand sockets; a server that is
// started afterwards inherits it.
void allow_many_files();

class Listeners {
 public:
  // `mark` occurs once in the bytes of each event, and nowhere else.
  explicit Listeners(std::string mark) : mark_(std::move(mark)) {}

  // Adds a connection on which events were already requested; bytes received so far are ignored.
  void add(std::unique_ptr<Wire> wire);
  // Returns once each connection has received `events` more; calls `on_done` when one has. Stops
  // the program if one receives more, or if nothing arrives for ten seconds.
  void await(int events, const std::function<void()>& on_done = [] {});

 private:
  int take(Wire& wire);

  std::string mark_;
  std::vector<std::unique_ptr<Wire>> wires_;
};

}  // namespace mayfly::bench
