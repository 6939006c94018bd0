// Resolving names: a name server that does not answer delays only the names of its domain.
#include "net/calls/name_resolver.h"

#include <gmock/gmock.h>

#include <boost/asio/executor_work_guard.hpp>
#include <chrono>
#include <future>
#include <memory>
#include <mutex>
#include <set>

#include "net/calls/call_steps.h"

namespace mayfly::net {
namespace {

using ::testing::Contains;
using ::testing::Not;

constexpr std::size_t of_one_domain_max =
    limits::names_of_one_domain_resolved_at_once_max + limits::names_of_one_domain_waiting_max;

// The name servers of silent.example answer only once they are released.
class NameResolverTest : public ::testing::Test {
 protected:
  ~NameResolverTest() override { release(); }

  void release() {
    if (!is_released) are_released.set_value();
    is_released = true;
  }
  // Resolves the host; when that ends, the host is in `ends`.
  std::string resolve(const std::string& host) {
    const auto started =
        resolver.resolve(host, this, [this, host](auto, const auto&) { end(host); });
    return started ? ""
                   : std::string(name_of(started.error().code)) + " " + started.error().message;
  }
  std::string silent(std::size_t number) {
    return "w" + std::to_string(number) + ".silent.example";
  }
  void end(const std::string& what) { ends.insert(what); }
  // Whether `what` ends. The timeout is only for a busy machine.
  bool has_end(const std::string& what) {
    while (!ends.contains(what)) {
      if (loop.run_one_for(std::chrono::seconds(20)) == 0) return false;
    }
    return true;
  }
  std::multiset<std::string> resolved() {
    const std::lock_guard lock(mutex);
    return resolved_;
  }

  bool is_released = false;
  std::promise<void> are_released;
  const std::shared_future<void> release_of_all = are_released.get_future().share();
  std::mutex mutex;
  std::multiset<std::string> resolved_;
  std::multiset<std::string> ends;
  boost::asio::io_context loop;
  const boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work{
      loop.get_executor()};
  NameResolver resolver{
      loop, limits::names_of_one_domain_resolved_at_once_max + 1,
      [this](const std::string& host, boost::system::error_code&) {
        {
          const std::lock_guard lock(mutex);
          resolved_.insert(host);
        }
        if (host.ends_with("silent.example")) release_of_all.wait();
        return NameResolver::Addresses{boost::asio::ip::make_address("127.0.0.1")};
      }};
};

TEST_F(NameResolverTest, ADomainWhoseNameServersDoNotAnswerDelaysNoOther) {
  for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(resolve(silent(i)), "");
  for (const char* host : {"a.example.com", "localhost", "b.a.example.com", "example.org."}) {
    EXPECT_EQ(resolve(host), "");
    EXPECT_TRUE(has_end(host)) << host;
  }
  EXPECT_EQ(ends.size(), 4U);
  release();
  for (std::size_t i = 0; i < 100; ++i) EXPECT_TRUE(has_end(silent(i))) << i;
}

TEST_F(NameResolverTest, ANameIsResolvedOnceForAllThatWait) {
  int count = 0;
  for (int i = 0; i < 10; ++i) {
    EXPECT_TRUE(resolver.resolve(silent(1), this, [&, i](auto, const auto&) {
      EXPECT_EQ(count++, i);
      end(std::to_string(i));
    }));
  }
  release();
  EXPECT_TRUE(has_end("9"));
  EXPECT_EQ(resolved(), (std::multiset{silent(1)}));
}

TEST_F(NameResolverTest, AnAddressNeedsNoThread) {
  for (std::size_t i = 0; i < of_one_domain_max; ++i) EXPECT_EQ(resolve(silent(i)), "");
  for (const char* address : {"127.0.0.1", "::1"}) {
    EXPECT_EQ(resolve(address), "");
    EXPECT_TRUE(has_end(address));
    EXPECT_THAT(resolved(), Not(Contains(address)));
  }
}

TEST_F(NameResolverTest, AForgottenNameIsReleasedAndNotResolved) {
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(resolve(silent(i)), "");
  const auto body = std::make_shared<int>();
  const int call = 0;
  const int other_call = 0;
  const auto found = [this, body](auto, const auto&) { end("forgotten"); };
  const auto held = body.use_count();
  EXPECT_TRUE(resolver.resolve("a.silent.example", &call, found));
  EXPECT_TRUE(resolver.resolve("b.silent.example", &call, found));
  EXPECT_TRUE(resolver.resolve("b.silent.example", &other_call,
                               [this](auto, const auto&) { end("b for another"); }));
  resolver.forget("a.silent.example", &call);
  resolver.forget("b.silent.example", &call);
  EXPECT_EQ(body.use_count(), held);
  EXPECT_EQ(resolve("last.silent.example"), "");
  release();
  EXPECT_TRUE(has_end("last.silent.example"));
  EXPECT_TRUE(has_end("b for another"));
  EXPECT_THAT(ends, Not(Contains("forgotten")));
  EXPECT_THAT(resolved(), Not(Contains("a.silent.example")));
}

TEST_F(NameResolverTest, ANameThatIsForgottenWhileItIsResolvedIsReleased) {
  const auto body = std::make_shared<int>();
  EXPECT_TRUE(resolver.resolve(silent(1), &body, [this, body](auto, const auto&) { end("call"); }));
  resolver.forget(silent(1), &body);
  EXPECT_EQ(body.use_count(), 1);
  EXPECT_EQ(resolve(silent(1)), "");
  release();
  EXPECT_TRUE(has_end(silent(1)));
  EXPECT_THAT(ends, Not(Contains("call")));
}

TEST_F(NameResolverTest, TooManyNamesOfOneDomainAreRefused) {
  for (std::size_t i = 0; i < of_one_domain_max; ++i) EXPECT_EQ(resolve(silent(i)), "");
  const std::string refusal = "throttled too many names of 'silent.example' wait to be resolved";
  for (const char* host : {"x.silent.example", "y.x.SILENT.example", "silent.Example.."}) {
    EXPECT_EQ(resolve(host), refusal);
  }
  EXPECT_EQ(resolve(silent(0)), "");  // it is being resolved
  EXPECT_EQ(resolve("x.example"), "");
  resolver.forget(silent(of_one_domain_max - 1), this);
  EXPECT_EQ(resolve("x.silent.example"), "");
}

TEST_F(NameResolverTest, ACallThatHasTimedOutIsNotResolved) {
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(resolve(silent(i)), "");
  begin_call(loop, resolver, {.url = "http://a.silent.example", .time_max = Span::millis(1)},
             *parse_call_target("http://a.silent.example"),
             [this](const Result<Response>& outcome) { end(outcome.error().message); });
  EXPECT_TRUE(has_end("http://a.silent.example: no answer in time"));
  EXPECT_EQ(resolve("last.silent.example"), "");
  release();
  EXPECT_TRUE(has_end("last.silent.example"));
  EXPECT_THAT(resolved(), Not(Contains("a.silent.example")));
}

TEST_F(NameResolverTest, ACallToADomainWithTooManyWaitingNamesIsThrottled) {
  for (std::size_t i = 0; i < of_one_domain_max; ++i) EXPECT_EQ(resolve(silent(i)), "");
  begin_call(loop, resolver, {.url = "http://a.silent.example/b"},
             *parse_call_target("http://a.silent.example/b"),
             [this](const Result<Response>& outcome) {
               end(std::string(name_of(outcome.error().code)) + " " + outcome.error().message);
             });
  EXPECT_TRUE(
      has_end("throttled http://a.silent.example/b: too many names of 'silent.example' wait to be "
              "resolved"));
}

}  // namespace
}  // namespace mayfly::net
