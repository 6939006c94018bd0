// Bodies of responses, and the tables of errors.
#include "dialect/fauna/wire/envelope.h"

#include <gtest/gtest.h>

#include <set>

namespace mayfly::fauna {
namespace {

const char* const stats =
    R"("stats":{"compute_ops":2,"read_ops":0,"write_ops":0,"query_time_ms":1,)"
    R"("contention_retries":0,"storage_bytes_read":0,"storage_bytes_write":0,)"
    R"("rate_limits_hit":[]})";

QueryFrame frame_with(std::string tags) {
  return {.txn_at = Instant{5},
          .stats = {.compute_ops = 2},
          .tags = std::move(tags),
          .schema_version = Instant{3}};
}

TEST(EnvelopeTest, ASuccessHasItsMembersInOrder) {
  EXPECT_EQ(
      render_success({.data = "4"}, frame_with("")),
      std::string(R"({"data":4,"summary":"","txn_ts":5,)") + stats + R"(,"schema_version":3})");
  EXPECT_EQ(
      render_success({.data = "4", .static_type = "Int", .summary = "info\n"}, frame_with("a=b")),
      std::string(R"({"data":4,"static_type":"Int","summary":"info\n","txn_ts":5,)") + stats +
          R"(,"query_tags":"a=b","schema_version":3})");
}

TEST(EnvelopeTest, AFailureSaysWhatFailed) {
  const QueryFailure failure{
      .code = "constraint_failure",
      .message = "Failed to create document in collection `C`.",
      .constraint_failures = {
          {.paths = {{"ttl"}}, .message = "Expected Time | Null, provided String"},
          {.paths = {{"a", "b", std::int64_t{0}, "c"}, {"d"}}, .message = "Failed"},
          {.paths = {}, .message = "Document failed check constraint `p`"}}};
  const std::string summary = render_message(failure);
  EXPECT_EQ(summary, R"(error: Failed to create document in collection `C`.
constraint failures:
  ttl: Expected Time | Null, provided String
  a.b[0].c, d: Failed
  Document failed check constraint `p`)");
  EXPECT_EQ(render_failure(failure, "s", Format::tagged, frame_with("")),
            R"({"error":{"code":"constraint_failure",)"
            R"("message":"Failed to create document in collection `C`.","constraint_failures":[)"
            R"({"paths":[["ttl"]],"message":"Expected Time | Null, provided String"},)"
            R"({"paths":[["a","b",0,"c"],["d"]],"message":"Failed"},)"
            R"({"paths":[],"message":"Document failed check constraint `p`"}]},)"
            R"("summary":"s","txn_ts":5,)" +
                std::string(stats) + R"(,"schema_version":3})");
}

TEST(EnvelopeTest, TheValueOfAnAbortHasTheFormatOfTheClient) {
  const QueryFailure failure{.code = "abort", .message = "Query aborted.", .abort = 1};
  EXPECT_EQ(render_message(failure), "error: Query aborted.");
  const auto head = [&](Format format) {
    const std::string body = render_failure(failure, "", format, frame_with(""));
    return body.substr(0, body.find(R"(,"summary")"));
  };
  const std::string before = R"({"error":{"code":"abort","message":"Query aborted.","abort":)";
  EXPECT_EQ(head(Format::simple), before + "1}");
  EXPECT_EQ(head(Format::tagged), before + R"({"@int":"1"}})");
  EXPECT_EQ(head(Format::decorated), before + R"("1"})");
}

TEST(EnvelopeTest, AProtocolErrorHasNothingButTheErrorAndTheTags) {
  const ProtocolError error = protocol_error({Code::unauthenticated, "who?"});
  EXPECT_EQ(error.status, 401);
  EXPECT_EQ(render_protocol_error(error, ""),
            R"({"error":{"code":"unauthorized","message":"Access token required"}})");
  EXPECT_EQ(render_protocol_error(error, "a=b"),
            R"({"error":{"code":"unauthorized","message":"Access token required"},)"
            R"("query_tags":"a=b"})");
}

TEST(ErrorsTest, EveryCodeHasAStatusAndAName) {
  const std::tuple<Code, int, const char*> rows[] = {
      {Code::invalid, 400, "invalid_request"},
      {Code::unauthenticated, 401, "unauthorized"},
      {Code::forbidden, 403, "forbidden"},
      {Code::not_found, 404, "not_found"},
      {Code::exists, 409, "conflict"},
      {Code::stale, 409, "conflict"},
      {Code::contended, 409, "contended_transaction"},
      {Code::too_large, 413, "request_size_exceeded"},
      {Code::throttled, 429, "limit_exceeded"},
      {Code::timed_out, 503, "time_out"},
      {Code::unsupported, 400, "invalid_request"},
      {Code::no_space, 503, "internal_error"},
      {Code::corrupt, 500, "internal_error"},
      {Code::internal, 500, "internal_error"},
  };
  for (const auto& [code, status, name] : rows) {
    const ProtocolError error = protocol_error({code, "m"});
    EXPECT_EQ(error.status, status) << name;
    EXPECT_EQ(error.code, name);
  }
  EXPECT_EQ(protocol_error({Code::invalid, "No request body provided"}).message,
            "No request body provided");
}

TEST(ErrorsTest, AShortDeadlineIsTheClientsFault) {
  const ProtocolError error = deadline_error(mayfly::Span::millis(1));
  EXPECT_EQ(error.status, 440);
  EXPECT_EQ(error.code, "time_out");
  EXPECT_EQ(error.message, "Client set aggressive deadline: query needs 1000, timed out within 1");
  EXPECT_EQ(deadline_error(mayfly::Span::seconds(5)).status, 503);
}

TEST(ErrorsTest, CodesOfQueriesAreUnique) {
  std::set<std::string_view> codes;
  for (const QueryErrorCode& row : query_error_codes()) {
    EXPECT_TRUE(codes.insert(row.code).second) << row.code;
    EXPECT_TRUE(is_query_error_code(row.code));
  }
  EXPECT_FALSE(is_query_error_code("invalid_request"));
}

}  // namespace
}  // namespace mayfly::fauna
