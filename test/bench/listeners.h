// Connections on which events arrive unasked: readers of feeds, subscribers.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/wire.h"

namespace mayfly::bench {

// The default bound of a process is too near to a thousand sockets; a server started then has ours.
void allow_many_files();

class Listeners {
 public:
  // `mark` stands once in the bytes of each event, and nowhere else.
  explicit Listeners(std::string mark) : mark_(std::move(mark)) {}

  // One that listens already; what has come on it so far is no event.
  void add(std::unique_ptr<Wire> wire);
  // Returns once each has been told of `events` more; `told` is called as each is.
  void await(int events, const std::function<void()>& told = [] {});

 private:
  int take(Wire& wire);

  std::string mark_;
  std::vector<std::unique_ptr<Wire>> wires_;
};

}  // namespace mayfly::bench
