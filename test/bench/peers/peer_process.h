// Another server as a process of its own, on a port and in a directory of its own.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace mayfly::bench {

// A temporary directory, removed by the destructor.
struct OwnDirectory {
  explicit OwnDirectory(std::string at);
  ~OwnDirectory();
  OwnDirectory(const OwnDirectory&) = delete;
  OwnDirectory& operator=(const OwnDirectory&) = delete;
  const std::string path;
};

class PeerProcess {
 public:
  // Starts the server, with its output in `log`, and waits until it accepts connections on the
  // port. The signal ends it orderly. Stops the program if it does not start.
  struct How {
    std::vector<std::string> words;
    std::string log;
    std::uint16_t port = 0;
    int end_signal = 0;
  };
  explicit PeerProcess(const How& how);
  ~PeerProcess();
  PeerProcess(const PeerProcess&) = delete;
  PeerProcess& operator=(const PeerProcess&) = delete;

  // Of the process and its children.
  double resident_mib() const;
  double bytes_written() const;

 private:
  std::vector<pid_t> family() const;
  pid_t process_ = 0;
  int end_signal_ = 0;
};

std::uint16_t free_port();
// Runs a program to its end; stops this program if it fails.
void run_to_end(std::vector<std::string> words, const std::string& log);

// A function of a library that is installed only with its server.
void* function_of(const char* library, const char* name);
template <class Function>
Function* function_in(const char* library, const char* name) {
  return reinterpret_cast<Function*>(function_of(library, name));
}

}  // namespace mayfly::bench
