// For tests of scripts. Each of their processes is the test program itself, so that its main() is
// run_tests().
#pragma once

#include <gtest/gtest.h>

#include <csignal>
#include <string>
#include <string_view>

#include "script/pool.h"
#include "script/process/child.h"
#include "value/json/json.h"

namespace mayfly::script::testing {

inline int run_tests(int count, char** arguments) {
  serve_if_sandbox(count, arguments);
  std::signal(SIGCHLD, SIG_DFL);
  ::testing::InitGoogleTest(&count, arguments);
  return RUN_ALL_TESTS();
}

inline constexpr Instant script_now = Instant::from_seconds(1'800'000'000);
inline constexpr std::string_view prelude_of_host =
    "(ask) => { globalThis.host = ask; return (step, value) => step === 'result' && value; }";

struct Setting {
  Span time = Span::seconds(60);
  HostCall host = {};  // the global function `host`; none: there is no such function
  const char* scope = "one";
};

inline Pool& pool() {
  static Pool all;
  return all;
}

inline Result<Value> run_in(Sandbox& sandbox, const std::string& function,
                            const std::string& arguments, const HostCall& host = {}) {
  TRY(sandbox.begin(
      {.now = script_now, .prelude = host ? prelude_of_host : std::string_view(), .host = host}));
  const std::size_t number = TRY(sandbox.define("script", function));
  const Value given = TRY(parse_json(arguments));
  return sandbox.call(number, given.array());
}

inline Result<Value> run_script(const std::string& function, const std::string& arguments = "[]",
                                const Setting& setting = {}) {
  const auto sandbox = TRY(pool().take(setting.scope, monotonic_now() + setting.time));
  return run_in(*sandbox, function, arguments, setting.host);
}

inline std::string shown(const Result<Value>& result) {
  if (result) return result->is_missing() ? "undefined" : render_json(*result);
  return std::string(name_of(result.error().code)) + ": " + result.error().message;
}

inline std::string told(const std::string& function, const std::string& arguments = "[]",
                        const Setting& setting = {}) {
  return shown(run_script(function, arguments, setting));
}

}  // namespace mayfly::script::testing
