// Whether the columns of the routes are true, row by row.
#include "dialect/native/routes.h"

#include <gtest/gtest.h>

#include "dialect/native/testing.h"

namespace mayfly::native::testing {
namespace {

// A path of the pattern: each {name} as text.
std::string path_of(std::string_view pattern) {
  std::string path(pattern);
  std::erase_if(path, [](char c) { return c == '{' || c == '}'; });
  return path;
}

TEST(NativeRoutesTest, WithoutAKeyAClientUsesOnlyOpenRoutes) {
  Api api(Credentials{.keys = {"secret"}});
  for (const Route& route : routes()) {
    const int status = api.status(std::string(route.method), path_of(route.pattern));
    const bool is_refused = status == 401;
    EXPECT_EQ(is_refused, route.effect != RouteEffect::open) << route.name << " " << status;
  }
}

TEST(NativeRoutesTest, AGetChangesNothing) {
  for (const Route& route : routes()) {
    if (route.method != "GET") continue;
    EXPECT_LE(route.effect, RouteEffect::read) << route.name;
  }
}

TEST(NativeRoutesTest, UrgentRoutesAreOpenAndQuickAndFoundByTheirPaths) {
  int urgent = 0;
  for (const Route& route : routes()) {
    EXPECT_EQ(is_urgent_path(route.pattern), route.is_urgent) << route.name;
    if (!route.is_urgent) continue;
    ++urgent;
    EXPECT_EQ(route.effect, RouteEffect::open) << route.name;
    EXPECT_EQ(route.pace, net::Pace::quick) << route.name;
  }
  EXPECT_EQ(urgent, 3);
}

}  // namespace
}  // namespace mayfly::native::testing
