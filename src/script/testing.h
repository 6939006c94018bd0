// For tests of scripts. Their processes run the test program itself, so its main() must be
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

struct ScriptOptions {
  Span time = Span::seconds(60);
  HostCall host = {};  // the global function `host`; empty: not defined
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
  const Value values = TRY(parse_json(arguments));
  return sandbox.call(number, values.array());
}

inline Result<Value> run_script(const std::string& function, const std::string& arguments = "[]",
                                const ScriptOptions& options = {}) {
  const auto sandbox = TRY(pool().take(options.scope, monotonic_now() + options.time));
  return run_in(*sandbox, function, arguments, options.host);
}

inline std::string text_of(const Result<Value>& result) {
  if (result) return result->is_missing() ? "undefined" : render_json(*result);
  return std::string(name_of(result.error().code)) + ": " + result.error().message;
}

inline std::string result_of(const std::string& function, const std::string& arguments = "[]",
                             const ScriptOptions& options = {}) {
  return text_of(run_script(function, arguments, options));
}

}  // namespace mayfly::script::testing
