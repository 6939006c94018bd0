// The real server, as a process of its own.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"

namespace mayfly::bench {

// Further flags of the server.
struct ServerOptions {
  std::vector<std::string> flags = {};
  bool speaks_kuzzle = false;  // on a port of its own
  bool speaks_fauna = false;   // likewise
  std::string log_file = {};   // takes the log from level info on; empty: warnings and errors only,
                               // to standard error
};

class ServerProcess {
 public:
  // Starts the server's binary, in the folder of this one, and waits until it prints where it
  // listens. Stops the program if it does not.
  ServerProcess(const std::string& data, ServerOptions options = {});
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  std::uint16_t port() const { return port_; }
  std::uint16_t kuzzle_port() const { return kuzzle_port_; }
  std::uint16_t fauna_port() const { return fauna_port_; }
  // One request on a connection of its own; returns the body. Stops the program unless the status
  // is 2xx.
  std::string call(const std::string& method, const std::string& target,
                   const std::string& body = "") const;
  // The same on the port that Kuzzle's clients speak to.
  std::string call_kuzzle(const std::string& method, const std::string& target,
                          const std::string& body = "") const;
  // Stops the server by SIGTERM and waits for its end. Its bytes_written() and cpu_seconds() can
  // still be read.
  void end();
  double resident_mib() const;
  double cpu_seconds() const;
  double bytes_written() const;
  // From the start of the process to its first answer.
  Span started_in() const { return started_in_; }

 private:
  pid_t process_ = 0;
  std::uint16_t port_ = 0;
  std::uint16_t kuzzle_port_ = 0;
  std::uint16_t fauna_port_ = 0;
  Span started_in_;
};

// In the folder of this binary.
std::string mayfly_binary();

// Of this process.
double own_cpu_seconds();
// The bytes that a process has passed to write calls: to logs, tables and everything else.
double bytes_written_by(pid_t process);
double resident_mib_of(pid_t process);

}  // namespace mayfly::bench
