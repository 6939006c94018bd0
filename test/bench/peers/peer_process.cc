#include "bench/peers/peer_process.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/check.h"
#include "bench/process.h"
#include "bench/wire.h"

namespace mayfly::bench {
namespace {

constexpr int start_looks_max = 60'000;
constexpr std::int64_t between_looks = 1'000;  // microseconds: how long a start takes is measured

pid_t start(std::vector<std::string> words, const std::string& log) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t process = fork();
  CHECK(process >= 0);
  if (process != 0) return process;
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // a benchmark that fails a check leaves no server behind
  const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
  dup2(out, STDOUT_FILENO);
  dup2(out, STDERR_FILENO);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

int socket_to(std::uint16_t port, sockaddr_in& address) {
  address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return ::socket(AF_INET, SOCK_STREAM, 0);
}

bool takes_connections(std::uint16_t port) {
  sockaddr_in address;
  const int socket = socket_to(port, address);
  const bool connected =
      ::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  ::close(socket);
  return connected;
}

}  // namespace

OwnDirectory::OwnDirectory(std::string at) : path(std::move(at)) {
  std::filesystem::create_directories(path);
}

OwnDirectory::~OwnDirectory() {
  std::filesystem::remove_all(path);
}

PeerProcess::PeerProcess(const How& how)
    : process_(start(how.words, how.log)), end_signal_(how.end_signal) {
  for (int look = 0; !takes_connections(how.port); ++look) {
    CHECK(look < start_looks_max);
    CHECK(waitpid(process_, nullptr, WNOHANG) == 0);
    rest(between_looks);
  }
}

PeerProcess::~PeerProcess() {
  ::kill(process_, end_signal_);
  waitpid(process_, nullptr, 0);
}

std::vector<pid_t> PeerProcess::family() const {
  std::vector<pid_t> all{process_};
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const pid_t process = std::atoi(entry.path().filename().c_str());
    if (process == 0) continue;
    std::ifstream stat(entry.path() / "stat");
    std::string word;
    std::getline(stat, word, ')');
    char state = 0;
    pid_t parent = 0;
    stat >> state >> parent;
    if (parent == process_) all.push_back(process);
  }
  return all;
}

double PeerProcess::resident_mib() const {
  double mib = 0;
  for (const pid_t process : family()) mib += resident_mib_of(process);
  return mib;
}

double PeerProcess::bytes_written() const {
  double bytes = 0;
  for (const pid_t process : family()) bytes += bytes_written_by(process);
  return bytes;
}

std::uint16_t free_port() {
  sockaddr_in address;
  const int socket = socket_to(0, address);
  socklen_t size = sizeof address;
  CHECK(::bind(socket, reinterpret_cast<sockaddr*>(&address), size) == 0);
  CHECK(::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  ::close(socket);
  return ntohs(address.sin_port);
}

void run_to_end(std::vector<std::string> words, const std::string& log) {
  int status = 0;
  CHECK(waitpid(start(std::move(words), log), &status, 0) > 0);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

void* function_of(const char* library, const char* name) {
  void* opened = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  CHECK(opened != nullptr);
  void* found = dlsym(opened, name);
  CHECK(found != nullptr);
  return found;
}

}  // namespace mayfly::bench
