// The routing table, percent-decoding and forms.
#include "net/router.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace mayfly::net {
namespace {

Router example() {
  Router router;
  router.add("GET", "/");                                  // 0
  router.add("GET", "/dbs");                               // 1
  router.add("POST", "/dbs");                              // 2
  router.add("GET", "/dbs/{db}");                          // 3
  router.add("DELETE", "/dbs/{db}");                       // 4
  router.add("GET", "/dbs/{db}/colls/{coll}");             // 5
  router.add("GET", "/dbs/{db}/{kind}/special");           // 6
  router.add("GET", "/dbs/_special");                      // 7
  router.add("GET", "/console/{path...}");                 // 8
  router.add("GET", "/console/index.html");                // 9
  router.add("GET", "/dbs/{db}/colls/special/{rest...}");  // 10
  return router;
}

std::string render(const Match& match) {
  std::string text;
  if (match.route == Match::none) {
    text = "none";
    for (const std::string& method : match.methods) text += " " + method;
    return text;
  }
  text = std::to_string(match.route);
  for (const auto& [name, value] : match.captured) {
    text += " " + std::string(name) + "=[" + value + "]";
  }
  return text;
}

TEST(RouterTest, ThePathAndTheMethodChooseTheRow) {
  const Router router = example();
  const struct {
    const char* method;
    const char* path;
    const char* expected;
  } rows[] = {
      {"GET", "/", "0"},
      {"GET", "", "0"},
      {"GET", "/dbs", "1"},
      {"GET", "/dbs/", "1"},
      {"POST", "/dbs", "2"},
      {"GET", "/dbs/shop", "3 db=[shop]"},
      {"DELETE", "/dbs/shop", "4 db=[shop]"},
      {"GET", "/dbs/_special", "7"},
      {"GET", "/%64bs/%5Fspecial", "7"},
      {"DELETE", "/dbs/_special", "4 db=[_special]"},
      {"GET", "/dbs/a%2Fb", "3 db=[a/b]"},
      {"GET", "/dbs/a+b%20c", "3 db=[a+b c]"},
      {"GET", "/dbs/%C3%A9", "3 db=[\xC3\xA9]"},
      {"GET", "/dbs/x/colls/y", "5 db=[x] coll=[y]"},
      {"GET", "/dbs/x/colls/special", "10 db=[x] rest=[]"},
      {"GET", "/dbs/x/other/special", "6 db=[x] kind=[other]"},
      {"GET", "/dbs/x/colls/special/a", "10 db=[x] rest=[a]"},
      {"GET", "/console", "8 path=[]"},
      {"GET", "/console/", "8 path=[]"},
      {"GET", "/console/a/b%20c", "8 path=[a/b c]"},
      {"GET", "/console/a//b", "8 path=[a//b]"},
      {"GET", "/console/index.html", "9"},
      {"PUT", "/dbs", "none GET POST"},
      {"PUT", "/dbs/shop", "none GET DELETE"},
      {"PUT", "/dbs/_special", "none GET DELETE"},
      {"HEAD", "/dbs/shop", "3 db=[shop]"},
      {"HEAD", "/nothing", "none"},
      {"get", "/dbs", "none GET POST"},
      {"GET", "/nothing", "none"},
      {"GET", "/dbs//colls/y", "none"},
      {"GET", "//dbs", "none"},
      {"GET", "/dbs/x//", "none"},
      {"GET", "/dbs/%", "none"},
      {"GET", "/dbs/%zz", "none"},
      {"GET", "/dbs/%C3", "none"},
      {"GET", "/console/%FF", "none"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(render(router.match(row.method, row.path)), row.expected)
        << row.method << " " << row.path;
  }
}

TEST(RouterTest, AVeryDeepPathMatchesOnlyARest) {
  const Router router = example();
  std::string deep;
  for (int i = 0; i < 5'000; ++i) deep += "/a";
  EXPECT_EQ(router.match("GET", deep).route, Match::none);
  EXPECT_EQ(router.match("GET", "/console" + deep)["path"], deep.substr(1));
}

TEST(RouterTest, ANameThatIsNotInThePatternIsEmpty) {
  EXPECT_EQ(example().match("GET", "/dbs/x")["other"], "");
}

TEST(DecodeTest, OnlyWholeUtf8IsText) {
  const struct {
    const char* text;
    bool is_text;
  } rows[] = {
      {"%00", true},           {"%7F", true},
      {"%C2%80", true},        {"%DF%BF", true},
      {"%E0%A0%80", true},     {"%ED%9F%BF", true},
      {"%EE%80%80", true},     {"%EF%BF%BF", true},
      {"%F0%90%80%80", true},  {"%F4%8F%BF%BF", true},
      {"%80", false},          {"%C0%80", false},
      {"%C1%BF", false},       {"%C2", false},
      {"%C2x", false},         {"%E0%9F%BF", false},
      {"%ED%A0%80", false},    {"%ED%BF%BF", false},
      {"%E2%82", false},       {"%F0%8F%BF%BF", false},
      {"%F4%90%80%80", false}, {"%F5%80%80%80", false},
      {"%FF", false},          {"\xFF", false},
      {"\xC3\xA9", true},      {"%", false},
      {"%2", false},           {"%2g", false},
      {"%%20", false},         {"a%", false},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(decode_percent(row.text).has_value(), row.is_text) << row.text;
  }
}

std::string render_form(std::string_view text) {
  const auto pairs = decode_form(text);
  if (!pairs) return "invalid " + pairs.error().field;
  std::string rendered;
  for (const Pair& pair : *pairs) rendered += "[" + pair.first + "]=[" + pair.second + "]";
  return rendered;
}

TEST(DecodeTest, AFormKeepsOrderAndRepetition) {
  EXPECT_EQ(render_form(""), "");
  EXPECT_EQ(render_form("a=1&b=2&a=3"), "[a]=[1][b]=[2][a]=[3]");
  EXPECT_EQ(render_form("a&b=&=c&&"), "[a]=[][b]=[][]=[c]");
  EXPECT_EQ(render_form("a=b=c"), "[a]=[b=c]");
  EXPECT_EQ(render_form("q=1+2%2B3&%C3%A9=x%26y"), "[q]=[1 2+3][\xC3\xA9]=[x&y]");
  EXPECT_EQ(render_form("ok=1&bad=%G0"), "invalid bad");
  EXPECT_EQ(render_form("%=1"), "invalid %");
}

}  // namespace
}  // namespace mayfly::net
