// Requests to the memory storage: URLs, rights, threads, and the effect of resets.
#include <thread>

#include "base/threads/no_wait.h"
#include "dialect/kuzzle/memory/limits.h"
#include "dialect/kuzzle/security/store.h"
#include "dialect/kuzzle/testing.h"

namespace mayfly::kuzzle::testing {
namespace {

Answer run(Server& s, const std::string& action, const std::string& more) {
  return s.send(R"("controller":"ms","action":")" + action + "\"," + more);
}

TEST(MemoryRequestsTest, EveryCommandHasAnAddress) {
  Server s;
  const Answer api = s.send(R"("controller":"server","action":"publicApi")");
  const Value commands = api["result.ms"];
  EXPECT_EQ(commands.object().size(), 118U);
  for (const auto& [action, row] : commands.object()) {
    ASSERT_EQ(row.member("http").array().size(), 1U) << action;
    const Value address = row.member("http").array().front();
    const Answer answer = s.http(address.member("verb").text(), address.member("url").text(), "{}");
    EXPECT_EQ(answer.text("action"), '"' + action + '"');
    EXPECT_NE(answer.status, 404) << action;
    EXPECT_LT(answer.status, 500) << action;
  }
}

TEST(MemoryRequestsTest, ArraysInAddressesAreRepeatedNamesOrTextsWithCommas) {
  Server s;
  EXPECT_EQ(s.http("POST", "/ms/_set/a%2Fb", R"({"value":"1"})").result(), R"("OK")");
  EXPECT_EQ(s.http("POST", "/ms/_set/c", R"({"value":"2"})").result(), R"("OK")");
  EXPECT_EQ(s.http("GET", "/ms/a%2Fb").result(), R"("1")");
  EXPECT_EQ(s.http("GET", "/ms/_mget?keys=a%2Fb&keys=x&keys=c").result(), R"(["1",null,"2"])");
  EXPECT_EQ(s.http("GET", "/ms/_mget?keys=a%2Fb,c").result(), R"(["1","2"])");
  EXPECT_EQ(s.http("GET", "/ms/_exists?keys=c").result(), "1");
  EXPECT_EQ(s.http("POST", "/ms/_zadd/z", R"({"elements":[{"score":1,"member":"m"}]})").result(),
            "1");
  EXPECT_EQ(s.http("GET", "/ms/_zrange/z?start=0&stop=-1&options=withscores").result(),
            R"(["m","1"])");
  EXPECT_EQ(s.http("GET", "/ms/_zrangebyscore/z?min=0&max=2&limit=0&limit=1").result(), R"(["m"])");
  EXPECT_EQ(s.http("GET", "/ms/_zscore/z/m?member=other").result(), R"("1")");
  EXPECT_EQ(s.http("DELETE", "/ms", R"({"keys":["c"]})").result(), "1");
  EXPECT_EQ(s.http("GET", "/ms/_mget").status, 400);
}

TEST(MemoryRequestsTest, RightsAreThoseOfTheController) {
  Server s;
  EXPECT_EQ(s.make_admin("boss", "boss", "pw").status, 200);
  const std::string admin = by(s.log_in("boss", "pw"));
  EXPECT_EQ(s.of("security:createRole", "reads",
                 R"({"controllers":{"ms":{"actions":{"get":true}}}})", admin)
                .status,
            200);
  EXPECT_EQ(s.of("security:createProfile", "readers", R"({"policies":[{"roleId":"reads"}]})", admin)
                .status,
            200);
  s.make_user("ada", "readers", "ada", admin);
  const std::string ada = by(s.log_in("ada", "pw"));
  const std::string set = R"("_id":"a","body":{"value":"x"},)";
  EXPECT_EQ(run(s, "set", set + admin).status, 200);
  EXPECT_EQ(run(s, "get", R"("_id":"a",)" + ada).result(), R"("x")");
  EXPECT_EQ(run(s, "set", set + ada).status, 403);
  EXPECT_EQ(run(s, "flushdb", ada).status, 403);
  EXPECT_NE(run(s, "get", R"("_id":"a")").status, 200);
  // The right to run several commands together does not imply the right to run each.
  EXPECT_EQ(s.of("security:updateRole", "reads",
                 R"({"controllers":{"ms":{"actions":{"get":true,"mexecute":true}}}})", admin)
                .status,
            200);
  const std::string get = R"({"action":"get","args":{"_id":"a"}})";
  const std::string drop = R"({"action":"del","args":{"body":{"keys":["a"]}}})";
  EXPECT_EQ(run(s, "mexecute", R"("body":{"actions":[)" + get + "]}," + ada).result(),
            R"([[null,"x"]])");
  EXPECT_EQ(run(s, "mexecute", R"("body":{"actions":[)" + get + "," + drop + "]}," + ada).status,
            403);
  EXPECT_NE(s.http("GET", "/ms/a").status, 200);
  EXPECT_EQ(run(s, "get", R"("_id":"a",)" + admin).result(), R"("x")");
}

TEST(MemoryRequestsTest, AKeyIsNoSetOfRightsAndNoReset) {
  Server s;
  EXPECT_EQ(run(s, "set", R"("_id":"a","body":{"value":"x"})").status, 200);
  EXPECT_FALSE(has_security(*s.database));
  EXPECT_EQ(s.make_admin("boss", "boss", "pw").status, 200);
  const std::string admin = by(s.log_in("boss", "pw"));
  EXPECT_EQ(s.call("admin:resetSecurity", admin).status, 200);
  s.restart();
  EXPECT_EQ(run(s, "get", R"("_id":"a")").result(), R"("x")");
  EXPECT_EQ(s.call("admin:resetDatabase").status, 200);
  EXPECT_EQ(s.call("admin:resetCache", R"("database":"internalCache")").status, 200);
  EXPECT_EQ(run(s, "get", R"("_id":"a")").result(), R"("x")");
  EXPECT_EQ(s.call("admin:resetCache", R"("database":"memoryStorage")").status, 200);
  EXPECT_EQ(run(s, "get", R"("_id":"a")").result(), "null");
  EXPECT_EQ(s.call("admin:resetCache", R"("database":"memoryStorage")").status, 200);
}

TEST(MemoryRequestsTest, SeveralCommandsAreOneTransaction) {
  Server s;
  const auto execute = [&](const std::string& actions) {
    return run(s, "mexecute", R"("body":{"actions":[)" + actions + "]}");
  };
  const std::string incr = R"({"action":"incr","args":{"_id":"n"}})";
  const std::string push = R"({"action":"rpush","args":{"_id":"n","body":{"values":["x"]}}})";
  const std::string get = R"({"action":"mget","args":{"keys":["n","m"]}})";
  EXPECT_EQ(execute(incr + "," + incr + "," + get).result(),
            R"([[null,1],[null,2],[null,["2",null]]])");
  const Answer refused = execute(incr + "," + push);
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(refused.error(),
            R"("WRONGTYPE Operation against a key holding the wrong kind of value")");
  EXPECT_EQ(run(s, "get", R"("_id":"n")").result(), R"("2")");
  EXPECT_EQ(execute("").result(), "[]");
  EXPECT_EQ(execute(R"({"action":"flushdb","args":{}})").status, 400);
  EXPECT_EQ(execute(R"({"action":"mexecute","args":{"body":{"actions":[]}}})").status, 400);
  EXPECT_EQ(execute(R"({"action":"none","args":{}})").status, 400);
  EXPECT_EQ(execute(R"({"action":"incr"})").status, 400);
  EXPECT_EQ(execute(R"({"args":{}})").status, 400);
  EXPECT_EQ(execute(R"({"action":"incr","args":{"_id":5}})").status, 400);
  EXPECT_EQ(run(s, "mexecute", R"("body":{})").status, 400);
  std::string many = incr;
  for (std::size_t i = 1; i < limits::memory_steps_max; ++i) many += "," + incr;
  EXPECT_EQ(execute(many).status, 200);
  EXPECT_EQ(execute(many + "," + incr).status, 413);
  EXPECT_EQ(run(s, "get", R"("_id":"n")").result(), R"("1002")");
}

TEST(MemoryRequestsTest, AnEventLoopMakesNoTable) {
  Server s;
  {
    const NoWait no_wait;
    s.ask("POST", "/ms/_incr/a", "");
    EXPECT_TRUE(no_wait.has_refused());
  }
  EXPECT_EQ(s.http("POST", "/ms/_incr/a").result(), "1");
  const NoWait no_wait;
  EXPECT_EQ(s.http("POST", "/ms/_incr/a").result(), "2");
  EXPECT_FALSE(no_wait.has_refused());
}

TEST(MemoryRequestsTest, AnEventLoopLeavesLargeValuesToAWorker) {
  Server s;
  const std::size_t most = limits::memory_loop_bytes_max;
  const auto refused = [&](const std::string& verb, const std::string& target,
                           const std::string& body = "") {
    const NoWait no_wait;
    s.ask(verb, target, body);
    return no_wait.has_refused();
  };
  const std::string large = R"({"value":")" + std::string(most + 1, 'x') + R"("})";
  EXPECT_EQ(s.http("POST", "/ms/_set/small", R"({"value":"x"})").status, 200);
  EXPECT_TRUE(refused("POST", "/ms/_set/large", large));
  EXPECT_EQ(s.http("GET", "/ms/large").result(), "null");
  EXPECT_EQ(s.http("POST", "/ms/_set/large", large).status, 200);
  EXPECT_TRUE(refused("GET", "/ms/_strlen/large"));
  EXPECT_TRUE(refused("POST", "/ms/_append/large", R"({"value":"x"})"));
  EXPECT_EQ(s.http("GET", "/ms/_strlen/large").result(), std::to_string(most + 1));
  EXPECT_FALSE(refused("GET", "/ms/_ttl/large"));
  EXPECT_TRUE(refused("POST", "/ms/_expire/large", R"({"seconds":10})"));
  EXPECT_EQ(s.http("GET", "/ms/_ttl/large").result(), "-1");
  EXPECT_FALSE(refused("GET", "/ms/small"));
}

TEST(MemoryRequestsTest, ManyWritersOfOneKeyCountEveryStep) {
  Server s;
  constexpr int writers = 4;
  constexpr int steps = 100;
  std::vector<std::thread> threads;
  for (int i = 0; i < writers; ++i) {
    threads.emplace_back([&s] {
      for (int n = 0; n < steps; ++n) EXPECT_EQ(run(s, "incr", R"("_id":"n")").status, 200);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(run(s, "get", R"("_id":"n")").result(), '"' + std::to_string(writers * steps) + '"');
}

TEST(MemoryRequestsTest, AConcurrentWriteComesBeforeOrAfterAFlush) {
  Server s;
  std::thread flushes([&s] {
    for (int n = 0; n < 30; ++n) EXPECT_EQ(run(s, "flushdb", R"("_id":"-")").status, 200);
  });
  for (int n = 0; n < 300; ++n) {
    const Answer answer = run(s, "incr", R"("_id":"n")");
    EXPECT_EQ(answer.status, 200) << answer.error();
  }
  flushes.join();
}

}  // namespace
}  // namespace mayfly::kuzzle::testing
