// Which process serves which request, and how many processes there are.
#include "script/pool.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <csignal>
#include <string>
#include <utility>
#include <vector>

namespace mayfly::script {
namespace {

pid_t process_of(Pool& pool, const char* scope) {
  const auto sandbox = pool.take(scope, Instant::never());
  EXPECT_TRUE(sandbox);
  return sandbox ? (*sandbox)->process_id() : 0;
}

bool is_alive(pid_t process) {
  return kill(process, 0) == 0;
}

TEST(ScriptPool, KeepsAProcessForItsScope) {
  Pool pool;
  const pid_t first = process_of(pool, "a");
  EXPECT_EQ(process_of(pool, "a"), first);
  const pid_t other = process_of(pool, "b");
  EXPECT_NE(other, first);
  EXPECT_EQ(process_of(pool, "a"), first);
  EXPECT_EQ(process_of(pool, "b"), other);
}

TEST(ScriptPool, GivesEachRequestASeparateProcess) {
  Pool pool;
  const auto one = pool.take("a", Instant::never());
  const auto two = pool.take("a", Instant::never());
  ASSERT_TRUE(one && two);
  EXPECT_NE((*one)->process_id(), (*two)->process_id());
}

TEST(ScriptPool, RefusesProcessesBeyondTheBound) {
  Pool pool({.processes_max = 1});
  {
    const auto one = pool.take("a", Instant::never());
    ASSERT_TRUE(one);
    const auto two = pool.take("b", Instant::never());
    ASSERT_FALSE(two);
    EXPECT_EQ(two.error().code, Code::throttled);
    EXPECT_NE(two.error().message.find("script_processes_max"), std::string::npos);
  }
  EXPECT_TRUE(pool.take("b", Instant::never()));
}

TEST(ScriptPool, EndsTheOldestKeptProcess) {
  Pool pool({.kept_max = 2});
  const pid_t oldest = process_of(pool, "a");
  const pid_t next = process_of(pool, "b");
  process_of(pool, "c");
  EXPECT_FALSE(is_alive(oldest));
  EXPECT_TRUE(is_alive(next));
}

TEST(ScriptPool, EndsAProcessThatHasWorkedForLong) {
  Pool pool({.worked_max = Span{-1}});
  const pid_t first = process_of(pool, "a");
  EXPECT_FALSE(is_alive(first));
}

TEST(ScriptPool, UsesNoProcessThatHasEnded) {
  Pool pool;
  const pid_t first = process_of(pool, "a");
  kill(first, SIGKILL);
  siginfo_t ended = {};
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(first), &ended, WEXITED | WNOWAIT), 0);
  const auto sandbox = pool.take("a", Instant::never());
  ASSERT_TRUE(sandbox);
  ASSERT_TRUE((*sandbox)->begin({}));
  EXPECT_TRUE((*sandbox)->define("f", "() => 1"));
}

TEST(ScriptPool, EndsItsProcesses) {
  pid_t kept = 0;
  {
    Pool pool;
    kept = process_of(pool, "a");
    EXPECT_TRUE(is_alive(kept));
  }
  EXPECT_FALSE(is_alive(kept));
}

}  // namespace
}  // namespace mayfly::script
