// Whether the columns of the routes are true, row by row.
#include "dialect/centrali/requests/routes.h"

#include <map>

#include "dialect/centrali/testing.h"

namespace mayfly::centrali::testing {
namespace {

// The path of the pattern; `names` replaces the segments in braces, `x` those that it lacks.
std::string path_of(std::string_view pattern, const std::map<std::string, std::string>& names) {
  std::string path = D;
  for (std::size_t open = pattern.find('{'); open != pattern.npos; open = pattern.find('{')) {
    const std::size_t end = pattern.find('}');
    const auto found = names.find(std::string(pattern.substr(open + 1, end - open - 1)));
    path.append(pattern.substr(0, open)).append(found == names.end() ? "x" : found->second);
    pattern.remove_prefix(end + 1);
  }
  return path.append(pattern);
}

class CentraliRoutesTest : public CentraliTest {};

TEST_F(CentraliRoutesTest, NoRouteIsOpenToClientsWithoutAKey) {
  credentials.keys = {"k"};
  restart();
  for (const Route& route : routes()) {
    EXPECT_NE(route.effect, RouteEffect::open) << route.pattern;
    const std::string path = path_of(route.pattern, {});
    EXPECT_EQ(send(std::string(route.method), path, "{}", {}).status(), 401) << path;
  }
}

TEST_F(CentraliRoutesTest, RoutesThatReadChangeNothing) {
  make_structures();
  const std::string record = make_record();
  const std::map<std::string, std::string> names{
      {"structure", "S"}, {"slug", "S"}, {"record", record}, {"version", "1"}};
  const std::string body = R"({"structureId":"S","ids":[")" + record + R"("]})";
  int answered = 0;
  for (const Route& route : routes()) {
    if (route.effect != RouteEffect::read) continue;
    const store::Version before = database->store().applied();
    const std::string path = path_of(route.pattern, names);
    const bool has_body = route.method != "GET";
    const Reply reply = send(std::string(route.method), path, has_body ? body : "");
    if (reply.status() == 200) ++answered;
    EXPECT_EQ(database->store().applied(), before) << route.method << " " << path;
  }
  EXPECT_GT(answered, 10);
}

TEST_F(CentraliRoutesTest, OnlyRequestsForOneRecordAreQuick) {
  for (const Route& route : routes()) {
    if (route.pace != net::Pace::quick) continue;
    EXPECT_TRUE(route.pattern == "/records" || route.pattern == "/records/{record}");
    EXPECT_NE(route.method, "DELETE");  // may cascade to other records
  }
}

}  // namespace
}  // namespace mayfly::centrali::testing
