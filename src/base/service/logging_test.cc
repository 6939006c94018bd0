// Tests of logging.h: the two forms of a line, and what a line never contains.
#include "base/service/logging.h"

#include <gtest/gtest.h>

#include <limits>

namespace mayfly {
namespace {

constexpr Instant logged_at{1'767'355'200'123'456};  // 2026-01-02T12:00:00.123456Z

std::string text_line(std::string_view message, LogFields fields = {}) {
  return render_log_line(LogFormat::text, logged_at, LogLevel::info, message, fields);
}
std::string json_line(std::string_view message, LogFields fields = {}) {
  return render_log_line(LogFormat::json, logged_at, LogLevel::warn, message, fields);
}

TEST(LogLineTest, TextIsForPeople) {
  EXPECT_EQ(text_line("listening", {{"api", "native"}, {"port", 7007}, {"is_secure", false}}),
            "2026-01-02T12:00:00.123Z info  listening api=native port=7007 is_secure=false");
  EXPECT_EQ(text_line("opened", {{"data", "a b"}, {"empty", ""}}),
            R"(2026-01-02T12:00:00.123Z info  opened data="a b" empty="")");
}

TEST(LogLineTest, JsonIsForMachines) {
  EXPECT_EQ(json_line("slow", {{"seconds", 1.5}, {"path", "/a\"b"}, {"ok", true}}),
            R"({"at":"2026-01-02T12:00:00.123Z","level":"warn","message":"slow",)"
            R"("seconds":1.5,"path":"/a\"b","ok":true})");
  EXPECT_NE(json_line("x", {{"n", std::numeric_limits<double>::infinity()}}).find(R"("n":"inf")"),
            std::string::npos);
}

TEST(LogLineTest, NoValueCanBeginAnotherLine) {
  for (const LogFormat format : {LogFormat::text, LogFormat::json}) {
    const std::string line = render_log_line(format, logged_at, LogLevel::info, "a\nb",
                                             {{"c", "d\r\ne\x01\x1B[31m"}, {"f", "\n"}});
    EXPECT_EQ(line.find_first_of("\n\r\x01\x1B"), std::string::npos) << line;
  }
}

TEST(LogLineTest, TimesBeforeTheEpochAreRoundedTowardsThePast) {
  EXPECT_TRUE(render_log_line(LogFormat::text, Instant{-1}, LogLevel::info, "x", {})
                  .starts_with("1969-12-31T23:59:59.999Z"));
}

TEST(LogSecretsTest, ASecretIsHiddenEverywhere) {
  hide_in_logs("s3cr\"et");
  EXPECT_EQ(text_line("key s3cr\"et given", {{"key", "as3cr\"ets3cr\"et"}}),
            "2026-01-02T12:00:00.123Z info  key (hidden) given key=a(hidden)(hidden)");
  EXPECT_EQ(json_line("s3cr\"et").find("s3cr"), std::string::npos);
  hide_in_logs("77777");
  EXPECT_NE(json_line("x", {{"n", 1777771}}).find(R"("n":"1(hidden)1")"), std::string::npos);
}

TEST(LogSecretsTest, AShortTextIsNotHidden) {
  hide_in_logs("in");
  hide_in_logs("");
  EXPECT_NE(text_line("inside").find("inside"), std::string::npos);
}

TEST(LogTest, LinesBelowTheLevelAreNotWritten) {
  start_logging(LogLevel::warn, LogFormat::json);
  testing::internal::CaptureStderr();
  log(LogLevel::info, "unheard");
  log(LogLevel::warn, "heard {}", {{"n", 1}});
  log(LogLevel::off, "never");
  const std::string written = testing::internal::GetCapturedStderr();
  EXPECT_EQ(written.find("unheard"), std::string::npos);
  EXPECT_EQ(written.find("never"), std::string::npos);
  EXPECT_NE(written.find(R"("message":"heard {}","n":1})"), std::string::npos) << written;
  EXPECT_TRUE(written.ends_with("}\n"));
  EXPECT_FALSE(is_logged(LogLevel::info));
  start_logging(LogLevel::off, LogFormat::text);
  EXPECT_FALSE(is_logged(LogLevel::error));
  start_logging(LogLevel::info, LogFormat::text);
}

TEST(LogTest, LevelsAndFormatsAreReadFromTheirNames) {
  EXPECT_EQ(parse_log_level("debug"), LogLevel::debug);
  EXPECT_EQ(parse_log_level("off"), LogLevel::off);
  EXPECT_EQ(parse_log_level("Debug").error().code, Code::invalid);
  EXPECT_EQ(parse_log_format("json"), LogFormat::json);
  EXPECT_FALSE(parse_log_format("xml"));
}

}  // namespace
}  // namespace mayfly
