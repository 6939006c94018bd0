// Which origins count as this machine.
#include "net/access/cors.h"

#include <gtest/gtest.h>

namespace mayfly::net {
namespace {

TEST(CorsTest, TheRowsSayWhichOriginsMayCall) {
  const struct {
    const char* row;
    const char* origin;
    bool allowed;
  } rows[] = {
      {"*", "http://anyone", true},
      {"https://a.example", "https://a.example", true},
      {"https://a.example", "http://a.example", false},
      {"https://a.example", "https://a.example.org", false},
      {"loopback", "http://localhost", true},
      {"loopback", "https://localhost:1", true},
      {"loopback", "http://127.0.0.1:65535", true},
      {"loopback", "http://[::1]:8080", true},
      {"loopback", "http://localhost:", false},
      {"loopback", "http://localhost:80a", false},
      {"loopback", "http://localhost.example.org", false},
      {"loopback", "http://localhost:80.example.org", false},
      {"loopback", "http://127.0.0.1.example.org", false},
      {"loopback", "http://evil@localhost", false},
      {"loopback", "ftp://localhost", false},
      {"loopback", "null", false},
      {"loopback", "", false},
  };
  for (const auto& row : rows)
    EXPECT_EQ(Cors({row.row}).allows(row.origin), row.allowed) << row.origin;
  EXPECT_FALSE(Cors({}).allows("http://localhost"));
}

}  // namespace
}  // namespace mayfly::net
