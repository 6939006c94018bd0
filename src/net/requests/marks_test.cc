// Names of requests: none is given twice, whatever thread gives it.
#include "net/requests/marks.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

namespace mayfly::net {
namespace {

TEST(MarksTest, NoTwoRequestsGetTheSameNameInAnyThread) {
  constexpr std::size_t each = 70'000;  // more than a thread takes at once
  const Marks marks(nullptr);
  std::vector<std::vector<std::string>> names(4);
  std::vector<std::thread> threads;
  for (auto& own : names) {
    threads.emplace_back([&marks, &own] {
      for (std::size_t i = 0; i < each; ++i) {
        Request request;
        own.push_back(marks.name(request));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<std::string> all;
  for (const auto& own : names) all.insert(own.begin(), own.end());
  EXPECT_EQ(all.size(), names.size() * each);
}

TEST(MarksTest, ANameThatTheClientGivesIsKept) {
  const Marks marks(nullptr);
  Request request;
  request.headers = {{"x-request-id", "mine-7"}};
  EXPECT_EQ(marks.name(request), "mine-7");
  request.headers = {{"x-request-id", "two\nlines"}};
  const std::string name = marks.name(request);
  EXPECT_EQ(name.size(), 16U);
  EXPECT_EQ(request.headers.front().second, name);
}

}  // namespace
}  // namespace mayfly::net
