// Scripts in separate processes: messages, confinement, ends of processes.
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "base/threads/run_permit.h"
#include "script/limits.h"
#include "script/process/confine.h"
#include "script/testing.h"

namespace mayfly::script::testing {
namespace {

TEST(SandboxProcess, KeepsTextsWhole) {
  EXPECT_EQ(result_of("(t) => [t.length, t]", R"(["a\u0000b"])"), R"([3,"a\u0000b"])");
  EXPECT_EQ(result_of("() => 'a\\0b'"), R"("a\u0000b")");
  EXPECT_EQ(result_of("() => '\\ud83d'"), "\"\xEF\xBF\xBD\"");
  EXPECT_EQ(result_of("() => [-0, 1 / -0 < 0, -0.5]"), "[0,true,-0.5]");
}

TEST(SandboxProcess, AcceptsNumbersWithoutAJsonForm) {
  const auto sandbox = pool().take("numbers", Instant::never());
  ASSERT_TRUE(sandbox);
  ASSERT_TRUE((*sandbox)->begin({.now = script_now}));
  const auto number = (*sandbox)->define("f", "(...all) => all.map((n) => `${n} ${1 / n}`)");
  ASSERT_TRUE(number);
  const Value arguments[] = {Value(std::numeric_limits<double>::quiet_NaN()),
                             Value(std::numeric_limits<double>::infinity()), Value(-0.0), Value()};
  EXPECT_EQ(text_of((*sandbox)->call(*number, arguments)),
            R"(["NaN NaN","Infinity 0","0 -Infinity","undefined NaN"])");
}

TEST(SandboxProcess, CutsMessagesBetweenCharacters) {
  const std::string thrown = result_of("() => { throw 'x' + '\u00e9'.repeat(1e5); }");
  const auto end = thrown.find("\r\n");
  ASSERT_NE(end, std::string::npos);
  EXPECT_EQ(thrown.substr(end - 2, 2), "\u00e9");
}

TEST(SandboxProcess, RefusesMessagesThatAreTooLarge) {
  const std::string large(limits::script_message_bytes_max, 'x');
  const auto sandbox = pool().take("large", Instant::never());
  ASSERT_TRUE(sandbox);
  const Value arguments[] = {Value(large)};
  EXPECT_NE(text_of((*sandbox)->call(0, arguments)).find("script_message_bytes_max"),
            std::string::npos);
  EXPECT_NE(result_of("() => host(...new Array(9).fill('x'.repeat(2e6)))", "[]",
                      {.host = [](std::string_view, std::span<const Value>) { return Value(); }})
                .find("script_message_bytes_max"),
            std::string::npos);
  const std::vector<Value> many(limits::script_values_max + 1);
  EXPECT_NE(text_of((*sandbox)->call(0, many)).find("script_values_max"), std::string::npos);
}

TEST(SandboxProcess, RefusesValuesThatAreNestedTooDeeply) {
  const std::string deep =
      "() => { let a = []; for (let i = 0; i < 1000; ++i) a = [a]; return a; }";
  EXPECT_NE(result_of(deep).find("nested deeper"), std::string::npos) << result_of(deep);
}

TEST(SandboxProcess, AnswersManyCalls) {
  int calls = 0;
  ScriptOptions options;
  options.host = [&calls](std::string_view, std::span<const Value>) { return Value(++calls); };
  EXPECT_EQ(
      result_of("() => { let last; for (let i = 0; i < 1e4; ++i) last = host('x'); return last; }",
                "[]", options),
      "10000");
}

TEST(SandboxProcess, HasTheWholeLanguageInAConfinedProcess) {
  EXPECT_EQ(result_of("() => [new Date(2020, 0, 1).toString(), new Date(0).getTimezoneOffset()]"),
            R"x(["Wed Jan 01 2020 00:00:00 GMT+0000 (Coordinated Universal Time)",0])x");
  EXPECT_EQ(
      result_of("() => [new Intl.NumberFormat('de').format(1234.5), "
                "new Date(0).toLocaleDateString('fr-FR', { weekday: 'long', timeZone: "
                "'Asia/Tokyo' }), new Intl.DisplayNames(['xx'], { type: 'region' }).of('DE'), "
                "['z', '\u00e4', 'a'].sort(new Intl.Collator('sv').compare).join()]"),
      "[\"1.234,5\",\"jeudi\",\"Germany\",\"a,z,\u00e4\"]");
  EXPECT_EQ(
      result_of("() => [Math.random() < 1, 'I'.toLocaleLowerCase('tr'), 'e\u0301'.normalize(), "
                "/\\p{Script=Greek}/u.test('\\u03b1'), [3, 1, 2].sort().at(-1), 2n ** 70n + '']"),
      "[true,\"\u0131\",\"\u00e9\",true,3,\"1180591620717411303424\"]");
}

TEST(SandboxProcess, ContinuesAfterItsProcessWasKilledFromOutside) {
  const ScriptOptions options{.scope = "ended"};
  pid_t process = 0;
  {
    const auto sandbox = pool().take(options.scope, Instant::never());
    ASSERT_TRUE(sandbox);
    process = (*sandbox)->process_id();
    const HostCall end_it = [process](std::string_view, std::span<const Value>) {
      kill(process, SIGTERM);
      return Value();
    };
    EXPECT_EQ(text_of(run_in(**sandbox, "() => { host('x'); for (;;) {} }", "[]", end_it)),
              "internal: The process of the script has ended.");
    EXPECT_FALSE((*sandbox)->is_usable());
  }
  EXPECT_EQ(result_of("() => 1", "[]", options), "1");
  const auto sandbox = pool().take(options.scope, Instant::never());
  ASSERT_TRUE(sandbox);
  const HostCall kill_it = [&sandbox](std::string_view, std::span<const Value>) {
    kill((*sandbox)->process_id(), SIGKILL);  // as the system does without memory
    return Value();
  };
  EXPECT_TRUE(text_of(run_in(**sandbox, "() => { host('x'); for (;;) {} }", "[]", kill_it))
                  .starts_with("too_large: "));
}

// The memory of a process.
std::size_t resident_bytes(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/statm");
  std::size_t all = 0;
  std::size_t resident = 0;
  file >> all >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

TEST(SandboxProcess, CollectsTheGarbageOfScripts) {
  if (!is_confined) GTEST_SKIP() << "a sanitizer keeps what was freed";
  const auto run_one = [] {
    const auto sandbox = pool().take("rubbish", Instant::never());
    EXPECT_EQ(text_of(run_in(**sandbox, "() => new Uint8Array(3e6).fill(1).length", "[]")),
              "3000000");
    return (*sandbox)->process_id();
  };
  const pid_t process = run_one();
  const std::size_t before = resident_bytes(process);
  for (int i = 0; i < 30; ++i) EXPECT_EQ(run_one(), process);
  EXPECT_LT(resident_bytes(process), before + 3 * limits::script_garbage_bytes_max);
}

// The permit of a client that disconnects after the script's first call to the host.
class DisconnectedPermit final : public RunPermit {
 public:
  Result<void> renew() override { return {}; }
  bool is_cancelled() const override { return is_disconnected; }
  void report_peak(std::size_t) override {}

  bool is_disconnected = false;
};

TEST(SandboxProcess, StopsWhenItsClientDisconnects) {
  DisconnectedPermit permit;
  const RunPermitScope scope(permit);
  ScriptOptions options;
  options.host = [&permit](std::string_view, std::span<const Value>) {
    permit.is_disconnected = true;
    return Value();
  };
  EXPECT_EQ(result_of("() => { host('x'); for (;;) {} }", "[]", options),
            "timed_out: The client no longer waits for the response.");
}

}  // namespace
}  // namespace mayfly::script::testing
