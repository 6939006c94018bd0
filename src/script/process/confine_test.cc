// What a confined process cannot do.
#include "script/process/confine.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <functional>
#include <string>

#include "script/limits.h"

namespace mayfly::script {
namespace {

constexpr int page = 4096;

// How a confined process that does this ends: "exit 0", "signal 31".
std::string end_of(const std::function<bool(int socket)>& act) {
  int sockets[2] = {};
  EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
  const pid_t child = fork();
  if (child == 0) {
    if (!bound_process() || !confine_calls(sockets[0])) _exit(9);
    _exit(act(sockets[0]) ? 0 : 1);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  for (const int socket : sockets) close(socket);
  return WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                             : "exit " + std::to_string(WEXITSTATUS(status));
}

void* memory(std::size_t bytes, int protection, int flags) {
  return mmap(nullptr, bytes, protection, flags, -1, 0);
}

constexpr int writable = PROT_READ | PROT_WRITE;
constexpr int own = MAP_PRIVATE | MAP_ANONYMOUS;

class ScriptConfinement : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!is_confined) GTEST_SKIP() << "a sanitizer makes calls of its own";
  }
};

TEST_F(ScriptConfinement, LeavesMemoryAndOneSocket) {
  EXPECT_EQ(end_of([](int socket) {
              void* const piece = memory(page, writable, own);
              return piece != MAP_FAILED && send(socket, piece, 1, 0) == 1 &&
                     mprotect(piece, page, PROT_READ) == 0 && munmap(piece, page) == 0;
            }),
            "exit 0");
  EXPECT_EQ(end_of([](int) { return raise(SIGABRT) == 0; }), "signal " + std::to_string(SIGABRT));
  EXPECT_NE(end_of([](int) -> bool { std::abort(); }), "signal " + std::to_string(SIGSYS));
}

TEST_F(ScriptConfinement, KillsAProcessThatDoesAnythingElse) {
  struct Case {
    const char* what;
    std::function<bool(int)> act;
  };
  const Case rows[] = {
      {"a file", [](int) { return open("/etc/passwd", O_RDONLY) >= 0; }},
      {"another file that is open", [](int) { return write(1, "x", 1) == 1; }},
      {"another socket", [](int socket) { return send(socket + 1, "x", 1, 0) == 1; }},
      {"a new socket", [](int) { return socket(AF_INET, SOCK_STREAM, 0) >= 0; }},
      {"a process", [](int) { return fork() >= 0; }},
      {"a program", [](int) { return execl("/bin/true", "true", nullptr) == 0; }},
      {"a signal to others", [](int) { return kill(getppid(), 0) == 0; }},
      {"code", [](int) { return memory(page, writable | PROT_EXEC, own) != MAP_FAILED; }},
      {"code in its own memory",
       [](int) {
         void* const piece = memory(page, writable, own);
         return mprotect(piece, page, PROT_READ | PROT_EXEC) == 0;
       }},
      {"shared memory",
       [](int) { return memory(page, writable, MAP_SHARED | MAP_ANONYMOUS) != MAP_FAILED; }},
      {"a stack of its own",
       [](int) { return memory(page, writable, own | MAP_GROWSDOWN) != MAP_FAILED; }},
      {"other bounds",
       [](int) {
         const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
         return setrlimit(RLIMIT_DATA, &none) == 0;
       }},
  };
  for (const Case& row : rows) {
    EXPECT_EQ(end_of(row.act), "signal " + std::to_string(SIGSYS)) << row.what;
  }
}

TEST_F(ScriptConfinement, BoundsItsData) {
  EXPECT_EQ(end_of([](int) {
              return memory(limits::script_data_bytes_max, writable, own) == MAP_FAILED &&
                     memory(limits::script_data_bytes_max / 4, writable, own) != MAP_FAILED;
            }),
            "exit 0");
}

}  // namespace
}  // namespace mayfly::script
