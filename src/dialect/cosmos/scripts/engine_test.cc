// The engine: values cross, exceptions are told, and every bound holds.
#include "dialect/cosmos/scripts/engine.h"

#include <gtest/gtest.h>

#include <thread>

#include "dialect/cosmos/limits.h"
#include "value/json.h"

namespace mayfly::cosmos {
namespace {

constexpr Instant now = Instant::from_seconds(1'800'000'000);

ScriptSetting within(Span time) {
  return {.stop_at = monotonic_now() + time, .now = now};
}

Result<Value> run(const std::string& function, const std::string& arguments = "[]",
                  ScriptSetting setting = within(Span::seconds(60))) {
  const auto script = TRY(Script::open(std::move(setting)));
  const std::size_t number = TRY(script->add_function("script", function));
  const Value given = TRY(parse_json(arguments));
  const Value result = TRY(script->call(number, given.array()));
  TRY(script->check_promise());
  return result;
}

std::string told(const std::string& function, const std::string& arguments = "[]",
                 ScriptSetting setting = within(Span::seconds(60))) {
  const auto result = run(function, arguments, std::move(setting));
  if (result) return result->is_missing() ? "undefined" : render_json(*result);
  return std::string(name_of(result.error().code)) + ": " + result.error().message;
}

TEST(CosmosEngine, TakesAndGivesValuesAsJsonHasThem) {
  const std::pair<const char*, const char*> table[] = {
      {"function () {}", "undefined"},
      {"function () { return null; }", "null"},
      {"() => 1 + 1", "2"},
      {"() => 0.5", "0.5"},
      {"() => 2 ** 53", "9007199254740992"},
      {"() => NaN", "null"},
      {"() => 'h\\u00e9\\ud83d\\ude00'", "\"hé😀\""},
      {"() => [1, undefined, { a: null, b: undefined, c: [true] }]",
       R"([1,null,{"a":null,"c":[true]}])"},
      {"function named(a) { return a; };\n", "undefined"},
      {"async () => 1", "undefined"},
  };
  for (const auto& [function, expected] : table) EXPECT_EQ(told(function), expected) << function;
  EXPECT_EQ(told("(a, b) => [b, a]", R"([{"x":[1.5,"é"]},null])"), R"([null,{"x":[1.5,"é"]}])");
}

TEST(CosmosEngine, KnowsTheLanguageAndNothingElse) {
  EXPECT_EQ(told("() => { class A { #x = 1; get x() { return this.#x ?? 2; } } "
                 "const [a, ...b] = [new A().x, 2]; return `${a}${b}`; }"),
            R"("12")");
  EXPECT_EQ(
      told("() => ['require', 'process', 'load', 'print', 'os', 'fetch', 'host', 'WebAssembly', "
           "'SharedArrayBuffer'].filter((name) => name in globalThis)"),
      "[]");
  EXPECT_EQ(told("() => [Date.now(), new Date().toISOString()]"),
            R"([1800000000000,"2027-01-15T08:00:00.000Z"])");
}

TEST(CosmosEngine, KeepsScriptsApart) {
  EXPECT_EQ(told("() => { globalThis.x = 1; Array.prototype.y = 2; return [].y; }"), "2");
  EXPECT_EQ(told("() => [typeof x, typeof [].y]"), R"(["undefined","undefined"])");
}

TEST(CosmosEngine, TellsExceptionsWithTheirTrace) {
  const std::string thrown = told("function outer() { throw new TypeError('too much'); }");
  EXPECT_TRUE(
      thrown.starts_with("invalid: Encountered exception while executing Javascript. "
                         "Exception = TypeError: too much\r\nStack trace: "))
      << thrown;
  EXPECT_NE(thrown.find("at outer (script:1:"), std::string::npos) << thrown;
  EXPECT_NE(told("() => { throw 'text'; }").find("Exception = text\r\n"), std::string::npos);
  EXPECT_NE(told("() => { throw { a: 1 }; }").find(R"(Exception = {"a":1})"), std::string::npos);
  EXPECT_NE(told("function (").find("SyntaxError"), std::string::npos);
  EXPECT_EQ(told("1 + 1"), "invalid: The body of the script 'script' is not a function.");
  EXPECT_LT(told("() => { throw 'x'.repeat(1e6); }").size(), 2 * limits::script_error_bytes_max);
  EXPECT_NE(told("() => { const make = () => ({ toJSON() { throw make(); } }); throw make(); }")
                .find("cannot be shown"),
            std::string::npos);
  EXPECT_NE(told("async () => { throw new Error('late'); }").find("Error: late"),
            std::string::npos);
}

TEST(CosmosEngine, StopsWhatDoesNotEnd) {
  for (const char* endless :
       {"() => { for (;;) {} }", "() => { for (;;) { try { for (;;) {} } finally { continue; } } }",
        "() => { const again = () => Promise.resolve().then(again); again(); }"}) {
    const std::string stopped = told(endless, "[]", within(Span::millis(100)));
    EXPECT_TRUE(stopped.starts_with("timed_out: ")) << endless << ": " << stopped;
    EXPECT_NE(stopped.find("script_time_max"), std::string::npos);
  }
  EXPECT_NE(told("() => /^(a+)+$/.test('a'.repeat(40) + 'b')", "[]", within(Span::millis(100)))
                .find(": "),
            std::string::npos);
  EXPECT_EQ(told("() => 1"), "1");
}

TEST(CosmosEngine, StopsWhatTakesTooMuchMemory) {
  for (const char* greedy :
       {"() => { const all = []; for (;;) all.push({}); }",
        "() => { const all = []; for (;;) all.push('xy'.repeat(1e5) + all.length); }",
        "() => { const all = []; for (;;) all.push(new Uint8Array(1e6)); }",
        "() => { const all = []; for (;;) { try { for (;;) all.push([1]); } "
        "catch (e) { continue; } } }"}) {
    const std::string stopped = told(greedy);
    EXPECT_TRUE(stopped.starts_with("too_large: ")) << greedy << ": " << stopped;
    EXPECT_NE(stopped.find("script_heap_bytes_max"), std::string::npos);
  }
  EXPECT_NE(told("() => 'x'.repeat(5e6)").find("script_value_bytes_max"), std::string::npos);
  EXPECT_NE(told("() => ['x'.repeat(5e6)]").find("script_value_bytes_max"), std::string::npos);
}

TEST(CosmosEngine, MakesAnExceptionOfRecursionWithoutEnd) {
  EXPECT_NE(told("function f() { return f() + 1; }").find("too much recursion"), std::string::npos);
  EXPECT_NE(told("() => { let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return a; }")
                .find("invalid: "),
            std::string::npos);
}

TEST(CosmosEngine, AsksTheHostAndStopsWithItsErrors) {
  ScriptSetting setting = within(Span::seconds(60));
  setting.host = [](std::string_view name, std::span<const Value> given) -> Result<Value> {
    if (name == "fail") return fail(Code::contended, "try again");
    return Object{{"name", Value(name)}, {"given", Array(given.begin(), given.end())}};
  };
  EXPECT_EQ(told("() => host('ask', 1, { a: [2] })", "[]", setting),
            R"({"name":"ask","given":[1,{"a":[2]}]})");
  EXPECT_EQ(
      told("() => { try { host('fail'); } catch (e) {} finally { return 1; } }", "[]", setting),
      "contended: try again");
}

TEST(CosmosEngine, RunsOneScriptInAnother) {
  ScriptSetting setting = within(Span::seconds(60));
  setting.host = [](std::string_view, std::span<const Value>) {
    return run("() => { globalThis.x = 5; return x; }");
  };
  EXPECT_EQ(told("() => [host('inner'), typeof x]", "[]", setting), R"([5,"undefined"])");
}

TEST(CosmosEngine, RunsInManyThreadsAtOnce) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      for (int k = 0; k < 20; ++k) EXPECT_EQ(told("(n) => n * 2", "[21]"), "42");
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace mayfly::cosmos
