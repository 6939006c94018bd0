// Ids of requests: each is unique, over all threads.
#include "net/requests/response_stamps.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

namespace mayfly::net {
namespace {

TEST(ResponseStampsTest, NoTwoRequestsGetTheSameIdInAnyThread) {
  constexpr std::size_t each = 70'000;  // more than a thread takes at once
  const ResponseStamps stamps(nullptr);
  std::vector<std::vector<std::string>> names(4);
  std::vector<std::thread> threads;
  for (auto& own : names) {
    threads.emplace_back([&stamps, &own] {
      for (std::size_t i = 0; i < each; ++i) {
        Request request;
        own.push_back(stamps.assign_id(request));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<std::string> all;
  for (const auto& own : names) all.insert(own.begin(), own.end());
  EXPECT_EQ(all.size(), names.size() * each);
}

TEST(ResponseStampsTest, AnIdOfTheClientIsKept) {
  const ResponseStamps stamps(nullptr);
  Request request;
  request.headers = {{"x-request-id", "mine-7"}};
  EXPECT_EQ(stamps.assign_id(request), "mine-7");
  request.headers = {{"x-request-id", "two\nlines"}};
  const std::string name = stamps.assign_id(request);
  EXPECT_EQ(name.size(), 16U);
  EXPECT_EQ(request.headers.front().second, name);
}

}  // namespace
}  // namespace mayfly::net
