// Scripts in their processes: values are passed, exceptions are reported, and every bound holds.
#include "script/sandbox.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <string_view>
#include <thread>

#include "script/limits.h"
#include "script/process/confine.h"
#include "script/testing.h"

namespace mayfly::script::testing {
namespace {

TEST(Sandbox, AcceptsAndReturnsValuesAsJson) {
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
  for (const auto& [function, expected] : table)
    EXPECT_EQ(result_of(function), expected) << function;
  EXPECT_EQ(result_of("(a, b) => [b, a]", R"([{"x":[1.5,"é"]},null])"),
            R"([null,{"x":[1.5,"é"]}])");
}

TEST(Sandbox, HasTheLanguageAndNothingElse) {
  EXPECT_EQ(result_of("() => { class A { #x = 1; get x() { return this.#x ?? 2; } } "
                      "const [a, ...b] = [new A().x, 2]; return `${a}${b}`; }"),
            R"("12")");
  EXPECT_EQ(
      result_of(
          "() => ['require', 'process', 'load', 'print', 'os', 'fetch', 'host', 'WebAssembly', "
          "'SharedArrayBuffer'].filter((name) => name in globalThis)"),
      "[]");
  EXPECT_EQ(result_of("() => [Date.now(), new Date().toISOString()]"),
            R"([1800000000000,"2027-01-15T08:00:00.000Z"])");
}

TEST(Sandbox, KeepsScriptsApart) {
  EXPECT_EQ(result_of("() => { globalThis.x = 1; Array.prototype.y = 2; return [].y; }"), "2");
  EXPECT_EQ(result_of("() => [typeof x, typeof [].y]"), R"(["undefined","undefined"])");
}

TEST(Sandbox, ReportsExceptionsWithTheirTrace) {
  const std::string thrown = result_of("function outer() { throw new TypeError('too much'); }");
  EXPECT_TRUE(
      thrown.starts_with("invalid: Encountered exception while executing Javascript. "
                         "Exception = TypeError: too much\r\nStack trace: "))
      << thrown;
  EXPECT_NE(thrown.find("at outer (script:1:"), std::string::npos) << thrown;
  EXPECT_NE(result_of("() => { throw 'text'; }").find("Exception = text\r\n"), std::string::npos);
  EXPECT_NE(result_of("() => { throw { a: 1 }; }").find(R"(Exception = {"a":1})"),
            std::string::npos);
  EXPECT_NE(result_of("function (").find("SyntaxError"), std::string::npos);
  EXPECT_EQ(result_of("1 + 1"), "invalid: The body of the script 'script' is not a function.");
  EXPECT_LT(result_of("() => { throw 'x'.repeat(1e6); }").size(),
            2 * limits::script_error_bytes_max);
  EXPECT_NE(
      result_of("() => { const make = () => ({ toJSON() { throw make(); } }); throw make(); }")
          .find("cannot be shown"),
      std::string::npos);
  EXPECT_NE(result_of("async () => { throw new Error('late'); }").find("Error: late"),
            std::string::npos);
}

TEST(Sandbox, StopsAScriptThatDoesNotEnd) {
  for (const char* endless :
       {"() => { for (;;) {} }", "() => { for (;;) { try { for (;;) {} } finally { continue; } } }",
        "() => { const again = () => Promise.resolve().then(again); again(); }"}) {
    const std::string stopped = result_of(endless, "[]", {.time = Span::millis(100)});
    EXPECT_TRUE(stopped.starts_with("timed_out: ")) << endless << ": " << stopped;
    EXPECT_NE(stopped.find("script_time_max"), std::string::npos);
  }
  EXPECT_NE(
      result_of("() => /^(a+)+$/.test('a'.repeat(40) + 'b')", "[]", {.time = Span::millis(100)})
          .find(": "),
      std::string::npos);
  EXPECT_EQ(result_of("() => 1"), "1");
}

TEST(Sandbox, StopsAScriptThatTakesTooMuchMemory) {
  for (const char* greedy :
       {"() => { const all = []; for (;;) all.push({}); }",
        "() => { const all = []; for (;;) all.push('xy'.repeat(1e5) + all.length); }",
        "() => { const all = []; for (;;) all.push(new Uint8Array(1e6)); }",
        "() => { const all = []; for (;;) { try { for (;;) all.push([1]); } "
        "catch (e) { continue; } } }"}) {
    const std::string stopped = result_of(greedy);
    EXPECT_TRUE(stopped.starts_with("too_large: ")) << greedy << ": " << stopped;
    EXPECT_NE(stopped.find("script_heap_bytes_max"), std::string::npos);
  }
  EXPECT_NE(result_of("() => 'x'.repeat(5e6)").find("script_value_bytes_max"), std::string::npos);
  EXPECT_NE(result_of("() => ['x'.repeat(5e6)]").find("script_value_bytes_max"), std::string::npos);
}

TEST(Sandbox, StopsLongSearches) {
  for (const char* endless : {"t.indexOf(s)", "t.lastIndexOf(s)", "t.includes(s)", "t.split(s)",
                              "t.replace(s, 'c')", "t.replaceAll(s, 'c')"}) {
    const std::string script =
        "() => { const t = 'a'.repeat(20 << 20), s = 'a'.repeat(10 << 20) + 'b'; return " +
        std::string(endless) + "; }";
    const std::string stopped = result_of(script.c_str());
    EXPECT_TRUE(stopped.starts_with("too_large: ")) << endless << ": " << stopped;
    EXPECT_NE(stopped.find("script_search_work_max"), std::string::npos);
  }
  for (const char* endless : {"a.indexOf(s)", "a.lastIndexOf(s)", "a.includes(s)",
                              "Array.prototype.indexOf.call({length: 1e9}, s)"}) {
    const std::string script =
        "() => { const a = new Array(1e6).fill('a'.repeat(1e6) + 'b'), s = 'a'.repeat(1e6) + 'c'; "
        "return " +
        std::string(endless) + "; }";
    EXPECT_NE(result_of(script.c_str()).find("script_search_work_max"), std::string::npos)
        << endless;
  }
  EXPECT_EQ(
      result_of("() => [[1, 'a'].indexOf('a'), ['b'].lastIndexOf('b', -2), ['c'].includes('c'), "
                "[1].includes(1)]"),
      "[1,-1,true,true]");
  EXPECT_EQ(result_of("() => 'banana'.indexOf('an', 2) + 'banana'.lastIndexOf('an')"), "6");
  EXPECT_EQ(result_of("() => ['banana'.includes('nan'), 'a,b'.split(','), 'aa'.replace('a', 'b'), "
                      "'aa'.replaceAll('a', 'b'), 'aa'.replace(/a/g, (x) => x + 1)]"),
            R"([true,["a","b"],"ba","bb","a1a1"])");
  EXPECT_EQ(result_of("() => 'x'.repeat(2 << 20).indexOf('y'.repeat(1000))"), "-1");
}

// The peak memory of the server since then, as the system counts it.
std::size_t status_bytes(std::string_view name) {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word && word != name) {
  }
  std::size_t kilobytes = 0;
  status >> kilobytes;
  return kilobytes << 10;
}

// The peak memory of all script processes that have ended.
std::size_t peak_of_processes() {
  rusage used = {};
  getrusage(RUSAGE_CHILDREN, &used);
  return static_cast<std::size_t>(used.ru_maxrss) << 10;
}

// Messages are small, whatever a script holds.
constexpr std::size_t server_bytes_max = 32 << 20;

TEST(Sandbox, BoundsTheMemoryOfEachSingleOperation) {
  EXPECT_EQ(result_of("() => 1"), "1");           // the memory of the library itself
  std::ofstream("/proc/self/clear_refs") << '5';  // resets the peak
  const std::size_t before = status_bytes("VmRSS:");
  const std::string huge_text = "const t = 'x'.repeat(2 ** 29); ";
  const std::string huge_wide_text = "const t = '\u4e2d'.repeat(2 ** 29); ";
  for (const std::string& greedy : std::initializer_list<std::string>{
           "() => { " + huge_text + "return t.charCodeAt(7); }",
           "() => { " + huge_wide_text + "return t.indexOf('y'); }",
           "() => { let t = 'ab'; for (let i = 0; i < 28; ++i) t += t; return t < t + 'a'; }",
           "() => { " + huge_text + "return /y/.test(t); }",
           "() => { " + huge_text + "return encodeURIComponent(t); }",
           "() => { " + huge_text + "return JSON.stringify({ t, u: t }); }",
           "() => { " + huge_text + "return t.toUpperCase().normalize('NFD').length; }",
           "() => { " + huge_text + "return globalThis[t]; }",
           "() => 'x'.repeat(3e7).split('').length",
           "() => Array(1e8).fill(1).length",
           "() => Array(1e7).fill('0123456789').join().length",
           "() => new Uint8Array(1e9).fill(1).length",
           "() => new Float64Array(2e7).map(Math.sqrt).sort().length",
           "() => JSON.parse('[' + '[1,2,3,4,5,6,7,8,9],'.repeat(1.5e6) + '1]').length",
           "() => JSON.parse('[' + '{\"a\":\"a long enough text\"},'.repeat(3e6) + '1]').length",
           "() => { const all = []; for (;;) all.push('x'.repeat(9e5) + all.length); }",
           "() => { const all = []; for (;;) { const t = 'x'.repeat(3e7) + all.length; "
           "all.push(t); t.charCodeAt(0); } }",
           "() => JSON.parse('[' + ('[' + '1,'.repeat(3e4) + '1],').repeat(1e3) + '1]').length",
           "() => eval('[' + '1,'.repeat(1e7) + ']').length",
           "() => { const all = []; while (all.length < 58) { const t = 'x'.repeat(1e6) + "
           "all.length; t.charCodeAt(0); all.push(t); } const u = 'y'.repeat(75e6); "
           "return eval('[' + '[1,2,3,4,5,6,7,8,9],'.repeat(1e6) + ']').length + u.charCodeAt(0) + "
           "all.length; }",
           "() => { const all = []; while (all.length < 58) { const t = 'x'.repeat(1e6) + "
           "all.length; t.charCodeAt(0); all.push(t); } for (;;) all.push(JSON.parse('[' + "
           "'[1,2,3,4,5,6,7,8,9],'.repeat(2e5) + '1]')); }",
           "() => { const all = new Map(); for (let i = 0; ; ++i) all.set({}, 'k' + i); }",
           "() => { const t = 'x'.repeat(4e6), all = new Map(); for (let i = 0; ; ++i) "
           "all.set(t + i, i); }",
           "() => { const all = []; for (;;) all.push((1n << 500000n) + BigInt(all.length)); }",
           "() => { for (;;) { try { new Uint8Array(1e9).fill(1); } catch (e) {} } }",
       }) {
    const std::string what_came = result_of(greedy);
    EXPECT_TRUE(what_came.starts_with("too_large: ")) << greedy << ": " << what_came;
    // A sanitizer needs memory of its own.
    if (is_confined) {
      EXPECT_LT(peak_of_processes(), limits::script_peak_bytes_max) << greedy;
    }
  }
  if (is_confined) {
    EXPECT_LT(status_bytes("VmHWM:"), before + server_bytes_max);
  }
  RecordProperty("largest_MiB", std::to_string(peak_of_processes() >> 20));
  EXPECT_EQ(result_of("() => 'x'.repeat(1e6).length"), "1000000");
  EXPECT_EQ(result_of("() => JSON.parse('[1,{\"a\":2}]', (k, v) => v === 2 ? 3 : v)"),
            R"([1,{"a":3}])");
}

TEST(Sandbox, TurnsEndlessRecursionIntoAnException) {
  EXPECT_NE(result_of("function f() { return f() + 1; }").find("too much recursion"),
            std::string::npos);
  EXPECT_NE(result_of("() => { let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return a; }")
                .find("invalid: "),
            std::string::npos);
}

TEST(Sandbox, CallsTheHostAndStopsWithItsErrors) {
  ScriptOptions options;
  options.host = [](std::string_view name, std::span<const Value> arguments) -> Result<Value> {
    if (name == "fail") return fail(Code::contended, "try again");
    return Object{{"name", Value(name)}, {"given", Array(arguments.begin(), arguments.end())}};
  };
  EXPECT_EQ(result_of("() => host('ask', 1, { a: [2] })", "[]", options),
            R"({"name":"ask","given":[1,{"a":[2]}]})");
  EXPECT_EQ(result_of("() => { try { host('fail'); } catch (e) {} finally { return 1; } }", "[]",
                      options),
            "contended: try again");
}

TEST(Sandbox, RunsOneScriptInAnother) {
  ScriptOptions options;
  options.host = [](std::string_view, std::span<const Value>) {
    return run_script("() => { globalThis.x = 5; return x; }");
  };
  EXPECT_EQ(result_of("() => [host('inner'), typeof x]", "[]", options), R"([5,"undefined"])");
}

TEST(Sandbox, RunsInManyThreadsAtOnce) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      for (int k = 0; k < 20; ++k) EXPECT_EQ(result_of("(n) => n * 2", "[21]"), "42");
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace mayfly::script::testing
