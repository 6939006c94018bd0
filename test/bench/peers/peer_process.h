// Another server as a process of its own, on a port and in a directory of its own.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace mayfly::bench {

// A directory that goes when this does.
struct OwnDirectory {
  explicit OwnDirectory(std::string at);
  ~OwnDirectory();
  OwnDirectory(const OwnDirectory&) = delete;
  OwnDirectory& operator=(const OwnDirectory&) = delete;
  const std::string path;
};

class PeerProcess {
 public:
  // Starts it, with what it says in `log`, and waits until it takes connections on the port. The
  // signal is what ends it in peace. Stops the program where it does not start.
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
// Runs it to its end; stops the program where it fails.
void run_to_end(std::vector<std::string> words, const std::string& log);

// A function of a library that is there only where its server is.
void* function_of(const char* library, const char* name);
template <class Function>
Function* function_in(const char* library, const char* name) {
  return reinterpret_cast<Function*>(function_of(library, name));
}

}  // namespace mayfly::bench
