// Headers of queries.
#include "dialect/fauna/wire/headers.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace mayfly::fauna {
namespace {

QueryOptions options_of(std::vector<net::Pair> headers) {
  return parse_options({.headers = std::move(headers)}).value();
}

std::string fault_of(const char* name, std::string value) {
  const auto options = parse_options({.headers = {{name, std::move(value)}}});
  return options ? "none" : options.error().message;
}

TEST(HeadersTest, MissingHeadersHaveDefaults) {
  const QueryOptions options = options_of({});
  EXPECT_EQ(options.format, Format::simple);
  EXPECT_FALSE(options.typecheck);
  EXPECT_FALSE(options.is_linearized || options.wants_performance_hints);
  EXPECT_EQ(options.timeout, mayfly::Span::seconds(120));
  EXPECT_EQ(options.last_txn_at, Instant{0});
  EXPECT_FALSE(options.contention_retries);
  EXPECT_EQ(options.tags + options.traceparent, "");
}

TEST(HeadersTest, EveryHeaderIsRead) {
  const std::string trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const QueryOptions options = options_of({{"x-format", "decorated"},
                                           {"x-typecheck", "false"},
                                           {"x-linearized", "true"},
                                           {"x-performance-hints", "true"},
                                           {"x-query-timeout-ms", "600000"},
                                           {"x-last-txn-ts", "1700000000000123"},
                                           {"x-max-contention-retries", "7"},
                                           {"x-query-tags", "project=teapot,hello=world"},
                                           {"traceparent", trace},
                                           {"x-driver-env", "driver=javascript"}});
  EXPECT_EQ(options.format, Format::decorated);
  EXPECT_EQ(options.typecheck, false);
  EXPECT_TRUE(options.is_linearized && options.wants_performance_hints);
  EXPECT_EQ(options.timeout, mayfly::Span::seconds(600));
  EXPECT_EQ(options.last_txn_at, Instant{1'700'000'000'000'123});
  EXPECT_EQ(options.contention_retries, 7);
  EXPECT_EQ(options.tags, "project=teapot,hello=world");
  EXPECT_EQ(options.traceparent, trace);
}

TEST(HeadersTest, ATraceThatIsMalformedIsIgnored) {
  EXPECT_EQ(options_of({{"traceparent", "00-xyz"}}).traceparent, "");
}

TEST(HeadersTest, EveryErrorNamesItsHeader) {
  std::string tags = "a=b";
  for (int i = 0; i < 25; ++i) tags += ",a=b";
  const std::tuple<const char*, std::string, const char*> rows[] = {
      {"x-format", "foo", "Invalid format foo"},
      {"x-typecheck", "yes", "Must be a boolean value."},
      {"x-linearized", "1", "Must be a boolean value."},
      {"x-performance-hints", "", "Must be a boolean value."},
      {"x-query-timeout-ms", "x1", "Invalid number 'x1'."},
      {"x-query-timeout-ms", "0", "Must be greater than 0."},
      {"x-query-timeout-ms", "600001", "Must be less than or equal to 600000."},
      {"x-last-txn-ts", "soon", "Invalid timestamp 'soon'."},
      {"x-max-contention-retries", "8", "Must be between 0 and 7."},
      {"x-max-contention-retries", "-1", "Must be between 0 and 7."},
      {"x-query-tags", "a", "invalid tags"},
      {"x-query-tags", "=b", "invalid tags"},
      {"x-query-tags", "a=b,", "invalid tags"},
      {"x-query-tags", std::string(41, 'k') + "=b", "invalid tags"},
      {"x-query-tags", "a=" + std::string(81, 'v'), "invalid tags"},
      {"x-query-tags", tags, "invalid tags"},
  };
  for (const auto& [name, value, reason] : rows) {
    EXPECT_EQ(fault_of(name, value), fmt::format("Invalid header '{}': {}", name, reason));
  }
  EXPECT_EQ(fault_of("x-query-tags", tags.substr(4)), "none");
  std::string longest;
  for (int i = 0; i < 25; ++i) {
    longest += (i == 0 ? "" : ",") + std::string(40, 'k') + '=' + std::string(78, 'v');
  }
  EXPECT_EQ(longest.size(), 2'999);
  EXPECT_EQ(fault_of("x-query-tags", longest), "none");
  EXPECT_EQ(fault_of("x-query-tags", longest + "vv"),
            "Invalid header 'x-query-tags': invalid tags");
  EXPECT_EQ(fault_of("x-query-tags", ""), "none");
}

}  // namespace
}  // namespace mayfly::fauna
