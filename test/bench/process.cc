#include "bench/process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/check.h"
#include "bench/wire.h"

namespace mayfly::bench {
namespace {

std::string read_line(int from) {
  std::string line;
  for (char c = 0; ::read(from, &c, 1) == 1 && c != '\n';) line.push_back(c);
  return line;
}

// The port in the next line in which the server says where it listens.
std::uint16_t read_port(int from) {
  const std::string line = read_line(from);
  const std::size_t colon = line.rfind(':');
  CHECK(colon != std::string::npos);
  return static_cast<std::uint16_t>(std::atoi(line.c_str() + colon + 1));
}

void redirect_errors(const char* file) {
  const int log = ::open(file, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (log >= 0) dup2(log, STDERR_FILENO);
}

std::string call_on(std::uint16_t port, const std::string& request) {
  Wire wire(port);
  HttpAnswer answer = call(wire, request);
  CHECK(answer.status / 100 == 2);
  return std::move(answer.body);
}

// A number after its name in one of the files about a process.
double figure_of(pid_t process, const char* file, const std::string& name) {
  std::ifstream in("/proc/" + std::to_string(process) + "/" + file);
  for (std::string word; in >> word;) {
    if (word != name) continue;
    double figure = 0;
    in >> figure;
    return figure;
  }
  return 0;
}

}  // namespace

std::string mayfly_binary() {
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "mayfly").string();
}

ServerProcess::ServerProcess(const std::string& data, ServerOptions options) {
  std::vector<std::string> words{mayfly_binary(), "serve", "--data",        data,
                                 "--native-port", "0",     "--cosmos-port", "off"};
  const bool is_logging = !options.log_file.empty();
  const char* const more[] = {"--kuzzle-port", options.speaks_kuzzle ? "0" : "off",
                              "--fauna-port",  options.speaks_fauna ? "0" : "off",
                              "--log-level",   is_logging ? "info" : "warn"};
  words.insert(words.end(), std::begin(more), std::end(more));
  words.insert(words.end(), options.flags.begin(), options.flags.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  int out[2];
  CHECK(pipe(out) == 0);
  const Instant began = monotonic_now();
  process_ = fork();
  CHECK(process_ >= 0);
  if (process_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // a benchmark that fails a check leaves no server behind
    dup2(out[1], STDOUT_FILENO);
    ::close(out[0]);
    if (is_logging) redirect_errors(options.log_file.c_str());
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  ::close(out[1]);
  port_ = read_port(out[0]);
  if (options.speaks_kuzzle) kuzzle_port_ = read_port(out[0]);
  if (options.speaks_fauna) fauna_port_ = read_port(out[0]);
  ::close(out[0]);
  call("GET", "/health");
  started_in_ = monotonic_now() - began;
}

ServerProcess::~ServerProcess() {
  ::kill(process_, SIGTERM);
  waitpid(process_, nullptr, 0);
}

std::string ServerProcess::call(const std::string& method, const std::string& target,
                                const std::string& body) const {
  return call_on(port_, http_request(method, target, body));
}

std::string ServerProcess::call_kuzzle(const std::string& method, const std::string& target,
                                       const std::string& body) const {
  return call_on(kuzzle_port_, http_request(method, target, body));
}

double ServerProcess::bytes_written() const {
  return bytes_written_by(process_);
}

void ServerProcess::end() {
  ::kill(process_, SIGTERM);
  siginfo_t info;
  waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOWAIT);
}

double ServerProcess::resident_mib() const {
  return resident_mib_of(process_);
}

double ServerProcess::cpu_seconds() const {
  std::ifstream stat("/proc/" + std::to_string(process_) + "/stat");
  std::string word;
  // Fields 14 and 15 are the ticks in user and kernel mode; the name, field 2, has no space.
  for (int field = 1; field < 14; ++field) stat >> word;
  double user = 0, kernel = 0;
  stat >> user >> kernel;
  return (user + kernel) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

double own_cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) { return double(t.tv_sec) + double(t.tv_usec) / 1e6; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double bytes_written_by(pid_t process) {
  return figure_of(process, "io", "wchar:");
}

double resident_mib_of(pid_t process) {
  return figure_of(process, "status", "VmRSS:") / 1024;
}

}  // namespace mayfly::bench
