// Form bodies in place of JSON.
#include "dialect/kuzzle/requests/forms.h"

#include <gtest/gtest.h>

#include "dialect/kuzzle/limits.h"
#include "dialect/kuzzle/testing.h"

namespace mayfly::kuzzle {
namespace {

using testing::Server;

const std::string urlencoded_type = "application/x-www-form-urlencoded";
const std::string multipart_type = "multipart/form-data; boundary=xx";

std::string parsed(const std::string& type, const std::string& body) {
  const auto fields = parse_form(type, body);
  return fields ? render_json(Value(*fields)) : "error: " + fields.error().message;
}

std::string part(const std::string& parameters, const std::string& content) {
  return "--xx\r\nContent-Disposition: form-data; " + parameters + "\r\n\r\n" + content + "\r\n";
}

TEST(KuzzleFormsTest, FieldsBecomeTheMembersOfABody) {
  EXPECT_EQ(parsed(urlencoded_type, "a=1&b=x+y%21&a=2"), R"({"a":"2","b":"x y!"})");
  EXPECT_EQ(parsed(urlencoded_type + "; charset=utf-8", ""), "{}");
  EXPECT_EQ(parsed("Multipart/Form-Data; Boundary=\"xx\"",
                   part(R"(name="a")", "1") + part(R"(name=b)", "x\r\ny") + "--xx--\r\n"),
            R"({"a":"1","b":"x\r\ny"})");
  EXPECT_EQ(parsed(multipart_type,
                   part(R"(name="f"; filename="a; b.txt")", std::string("\0\xFF", 2)) + "--xx--"),
            R"({"f":{"filename":"a; b.txt","encoding":"base64","file":"AP8="}})");
  EXPECT_EQ(parsed(multipart_type, "--xx--"), "{}");
  EXPECT_EQ(parsed(multipart_type, part("b=1 ;  name =x; name= a ", "1") + "--xx--"),
            R"({"a":"1"})");
}

TEST(KuzzleFormsTest, AnInvalidFormIsRefused) {
  for (const auto& [type, body] : std::vector<net::Pair>{
           {urlencoded_type, "a=%"},
           {urlencoded_type, "a=%FF"},
           {"multipart/form-data", "--xx--"},
           {multipart_type, ""},
           {multipart_type, "a=1"},
           {multipart_type, "--xx"},
           {multipart_type, "--xxyy"},
           {multipart_type, part(R"(name="a")", "1")},
           {multipart_type, part(R"(other="a")", "1") + "--xx--"},
           {multipart_type, part(R"(name="a")", "\xFF") + "--xx--"},
           {multipart_type, "--xx\r\nContent-Disposition: form-data; name=a\r\n--xx--"}}) {
    EXPECT_TRUE(parsed(type, body).starts_with("error: ")) << type << body;
  }
  EXPECT_FALSE(is_form("application/json"));
  EXPECT_FALSE(is_form("text/plain"));
}

TEST(KuzzleFormsTest, FormsHaveABoundOfFields) {
  const auto form = [](std::size_t fields) {
    std::string body;
    for (std::size_t i = 0; i < fields; ++i) body += "&f" + std::to_string(i) + "=1";
    return body;
  };
  EXPECT_TRUE(parse_form(urlencoded_type, form(limits::form_fields_max)));
  const auto refused = parse_form(urlencoded_type, form(limits::form_fields_max + 1));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::too_large);
}

TEST(KuzzleFormsTest, ADocumentMayComeAsAForm) {
  const auto s = Server::with_collection();
  EXPECT_EQ(
      s->http("POST", "/idx/col/_create?_id=d1", "a=1&b=2", {{"content-type", urlencoded_type}})
          .status,
      200);
  EXPECT_EQ(s->of("document:get", "d1").text("result._source"), R"({"a":"1","b":"2"})");
  EXPECT_EQ(s->http("PUT", "/idx/col/d1", part(R"(name="a")", "3") + "--xx--",
                    {{"content-type", multipart_type}})
                .status,
            200);
  EXPECT_EQ(s->of("document:get", "d1").text("result._source"), R"({"a":"3"})");
  EXPECT_EQ(s->http("PUT", "/idx/col/d1", "x", {{"content-type", multipart_type}}).status, 400);
}

}  // namespace
}  // namespace mayfly::kuzzle
