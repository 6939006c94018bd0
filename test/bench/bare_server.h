// A minimal HTTP server, to measure the cost of HTTP itself: Boost.Beast with one coroutine a
// connection, one thread, a fixed answer of 300 bytes.
#pragma once

#include <cstdint>
#include <memory>

namespace mayfly::bench {

class BareServer {
 public:
  BareServer();
  ~BareServer();
  std::uint16_t port() const;
  // The CPU time its thread has used.
  double cpu_seconds() const;

 private:
  struct Inner;
  std::unique_ptr<Inner> inner_;
};

}  // namespace mayfly::bench
