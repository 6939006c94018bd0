// Specifications in requests, and their effect on writes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/crypto/crypto.h"
#include "dialect/common/limits.h"
#include "dialect/kuzzle/specifications/validation.h"
#include "dialect/kuzzle/testing.h"

namespace mayfly::kuzzle {
namespace {

using testing::Answer;
using testing::Server;
using testing::v6;
using testing::v7;

// The form of version 1: by collection.
Answer specify(Server& s, const std::string& specification, const std::string& place = "col") {
  return s.send(R"("controller":"collection","action":"updateSpecifications","body":{"idx":{")" +
                place + R"(":)" + specification + "}}");
}
std::unique_ptr<Server> with(const std::string& specification) {
  auto s = Server::with_collection();
  EXPECT_EQ(specify(*s, specification).status, 200);
  return s;
}
const std::string person = R"({"strict":true,"fields":{)"
                           R"("name":{"type":"string","mandatory":true},)"
                           R"("age":{"type":"integer","defaultValue":18},)"
                           R"("tags":{"type":"string","multivalued":{"value":true,"minCount":1,)"
                           R"("maxCount":2}},)"
                           R"("home":{"type":"object"},)"
                           R"("home/city":{"type":"string","mandatory":true},)"
                           R"("home/zip":{"type":"string","defaultValue":"?"}}})";

TEST(KuzzleSpecificationTest, AnInvalidWriteIsRefusedWithTheMessageOfEachVersion) {
  const auto s = with(person);
  EXPECT_EQ(s->of("document:create", "a", R"({"age":3})").error(),
            R"("Field name: The field is mandatory.")");
  EXPECT_EQ(s->of("document:create", "a", R"({"name":"x","home":{}})").error(),
            R"("Field home.city: The field is mandatory.")");
  const Answer strange = s->of("document:create", "a", R"({"name":"x","hat":1})");
  EXPECT_EQ(strange.status, 400);
  EXPECT_EQ(strange.error(),
            R"("Document: The document validation is strict. Cannot add unspecified sub-field )"
            R"(\"hat\"")");
  EXPECT_EQ(
      s->of("document:create", "a", R"({"name":"x","home":{"city":"c","street":"s"}})").error(),
      R"("Field home: The field is set to \"strict\"; cannot add unspecified sub-field )"
      R"(\"street\".")");
  s->client = v7;
  const Answer late = s->of("document:create", "a", R"({"name":1})");
  EXPECT_EQ(late.error(), R"("Validation failed. Field \"name\": The field must be a string.")");
  EXPECT_EQ(late.text("error.id"), R"("validation.check.failed_field")");
  EXPECT_EQ(late.text("error.code"), std::to_string(0x05030002));
  EXPECT_EQ(s->of("document:create", "a", R"({"hat":1})").text("error.id"),
            R"("validation.check.failed_document")");
  EXPECT_EQ(s->of("document:exists", "a").result(), "false");
}

TEST(KuzzleSpecificationTest, ValidatorsHaveTheTimeOfTheRequest) {
  std::string conditions;
  for (int i = 0; i < 100; ++i) {
    conditions += (i > 0 ? "," : "") + fmt::format(R"({{"regexp":{{"t":"x{}$"}}}})", i);
  }
  const Value wanted = *parse_json(R"({"validators":[{"or":[)" + conditions + "]}]}");
  const auto parsed = specifications::parse(wanted, "idx.col");
  ASSERT_EQ(parsed.errors, std::vector<std::string>());
  const Value body = Object{{"t", Value(std::string(60'000, 'x'))}};
  const auto validate = [&](Instant deadline) {
    const Meter meter([] { return Instant{2}; }, deadline);
    return specifications::validate(parsed.specification, "d1", body, testing::start, meter);
  };
  const auto in_time = validate(Instant{3});
  ASSERT_TRUE(in_time) << in_time.error().message;
  EXPECT_EQ(in_time->at(0).message, "The document does not match validation filters.");
  const auto late = validate(Instant{1});
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, Code::timed_out);
}

TEST(KuzzleSpecificationTest, DefaultValuesAreFilledIn) {
  const auto s = with(person);
  EXPECT_EQ(
      s->of("document:create", "a", R"({"name":"x","home":{"city":"c"}})").text("result._source"),
      R"({"name":"x","home":{"city":"c","zip":"?"},"age":18})");
  s->of("document:create", "b", R"({"name":"x","age":5})");
  s->of("document:update", "b", R"({"age":null})");
  EXPECT_EQ(s->of("document:get", "b").text("result._source"), R"({"name":"x","age":18})");
}

TEST(KuzzleSpecificationTest, SeveralValuesAreCounted) {
  const auto s = with(person);
  const auto tags = [&](const std::string& value) {
    return s->of("document:createOrReplace", "a", R"({"name":"x","tags":)" + value + "}").error();
  };
  EXPECT_EQ(tags(R"(["a","b"])"), "");
  EXPECT_EQ(tags(R"("a")"),
            R"("Field tags: The field must be multivalued, unary value provided.")");
  EXPECT_EQ(tags("[]"), R"("Field tags: Not enough elements. Minimum count is set to 1.")");
  EXPECT_EQ(tags(R"(["a","b","c"])"),
            R"("Field tags: Too many elements. Maximum count is set to 2.")");
  EXPECT_EQ(tags("[1]"), R"("Field tags: The field must be a string.")");
  EXPECT_EQ(s->of("document:createOrReplace", "a", R"({"name":["x"]})").error(),
            R"("Field name: The field is not a multivalued field; Multiple values provided.")");
}

TEST(KuzzleSpecificationTest, EveryActionOnDocumentsIsHeldToIt) {
  const auto s = with(person);
  s->of("document:create", "a", R"({"name":"x"})");
  const std::string wrong = R"("Field age: The field must be an integer")";
  EXPECT_EQ(s->of("document:replace", "a", R"({"name":"x","age":"1"})").error(), wrong);
  EXPECT_EQ(s->of("document:createOrReplace", "a", R"({"name":"x","age":"1"})").error(), wrong);
  EXPECT_EQ(s->of("document:update", "a", R"({"age":"1"})").error(), wrong);
  EXPECT_EQ(s->of("document:upsert", "a", R"({"changes":{"age":"1"}})").error(), wrong);
  EXPECT_EQ(s->of("document:deleteFields", "a", R"({"fields":["name"]})").error(),
            R"("Field name: The field is mandatory.")");
  for (const char* many : {"mCreate", "mCreateOrReplace", "mReplace", "mUpdate"}) {
    const Answer partial = s->call(std::string("document:") + many,
                                   R"("body":{"documents":[{"_id":"new","body":{"age":"1"}},)"
                                   R"({"_id":"a","body":{"name":"y","age":"1"}}]})");
    EXPECT_EQ(partial.status, 206) << many;
    EXPECT_EQ(partial.text("error.count"), "2") << many;
  }
  const Answer by_query = s->call("document:updateByQuery",
                                  R"("body":{"query":{"match_all":{}},"changes":{"age":"1"}})");
  EXPECT_EQ(by_query.text("result.successes"), "[]");
  EXPECT_EQ(by_query.text("result.errors[0]._id"), R"("a")");
  EXPECT_EQ(s->of("document:get", "a").text("result._source"), R"({"name":"x","age":18})");
  // Imports are not checked.
  EXPECT_EQ(
      s->call("bulk:import", R"("body":{"bulkData":[{"index":{"_id":"b"}},{"age":"1"}]})").status,
      200);
}

TEST(KuzzleSpecificationTest, ValidatorsAreFiltersThatEachDocumentFits) {
  const auto s =
      with(R"({"validators":[{"range":{"age":{"gte":18}}},{"exists":{"field":"name"}}]})");
  EXPECT_EQ(s->of("document:create", "a", R"({"name":"x","age":18})").status, 200);
  EXPECT_EQ(s->of("document:update", "a", R"({"age":17})").error(),
            R"("Document: The document does not match validation filters.")");
  const Answer wrong = specify(*s, R"({"validators":[{"nonsense":{}}]})");
  EXPECT_EQ(wrong.status, 400);
  EXPECT_EQ(wrong.error(), R"("Some errors with provided specifications.")");
}

TEST(KuzzleSpecificationTest, ADocumentCanBeValidatedWithoutBeingWritten) {
  const auto s = with(person);
  const Answer reply =
      s->call("document:validate", R"("body":{"age":"1","home":{"city":1},"tags":["a"]})");
  EXPECT_EQ(reply.result(),
            R"({"errorMessages":{"fieldScope":{"children":{)"
            R"("name":{"messages":["The field is mandatory."]},)"
            R"("age":{"messages":["The field must be an integer"]},)"
            R"("home":{"children":{"city":{"messages":["The field must be a string."]}}}}}},)"
            R"("valid":false})");
  EXPECT_EQ(s->call("document:validate", R"("body":{"name":"x"})").result(),
            R"({"errorMessages":{},"valid":true})");
  EXPECT_EQ(s->http("POST", "/idx/col/_validate", R"({"hat":1})").text("result.errorMessages"),
            R"({"documentScope":["The document validation is strict. Cannot add unspecified )"
            R"(sub-field \"hat\""]})");
}

TEST(KuzzleSpecificationTest, AllErrorsInASpecificationAreListedTogether) {
  const auto s = Server::with_collection();
  const std::string wrong =
      R"({"fields":{"a":{"type":"nonsense"},"b":{},"c":{"type":"string","size":1},)"
      R"("d":{"type":"string","multivalued":{"value":false,"minCount":1}}}})";
  const Answer refused = specify(*s, wrong);
  EXPECT_EQ(refused.text("error.details"),
            R"(["In idx.col.a: nonsense is not a recognized type.",)"
            R"("In idx.col.b, type is a mandatory field specification property.",)"
            R"("The field idx.col.c specification has invalid properties.",)"
            R"("In idx.col.d, \"minCount\" is not valid when multivalued field is disabled."])");
  EXPECT_EQ(s->call("collection:getSpecifications").status, 404);
  const auto validate = [&](const std::string& specification) {
    return s->send(R"("controller":"collection","action":"validateSpecifications","body":{"idx":{)"
                   R"("col":)" +
                   specification + "}}");
  };
  EXPECT_EQ(validate(person).result(), R"({"valid":true})");
  EXPECT_EQ(validate(R"({"fields":{"a/b":{"type":"string"}}})").text("result.details[0]"),
            R"("All levels of an object have to be defined in the specification.")");
  EXPECT_EQ(validate(R"({"fields":{"a":{"type":"string"},"b/c":{"type":"string"}}})")
                .text("result.details[0]"),
            R"("The parent field of the field \"b.c\" is not defined.")");
  EXPECT_EQ(validate(R"({"fields":{"a":{"type":"string"},"a/c":{"type":"string"}}})")
                .text("result.details[0]"),
            R"("The field type string is not allowed to have children fields.")");
  EXPECT_EQ(validate(R"({"loose":true})").text("result.details[0]"),
            R"("idx.col: the collection specification has invalid properties.")");
  s->client = v7;
  const Answer late = s->call("collection:updateSpecifications", R"("body":)" + wrong);
  EXPECT_EQ(late.text("error.id"), R"("validation.assert.invalid_specifications")");
}

TEST(KuzzleSpecificationTest, ItIsRemovedWithItsCollection) {
  const auto s = with(person);
  EXPECT_EQ(s->call("collection:getSpecifications").text("result.validation"), person);
  s->restart();
  EXPECT_EQ(s->of("document:create", "a", "{}").status, 400);
  EXPECT_EQ(s->call("collection:deleteSpecifications").result(), R"({"acknowledged":true})");
  EXPECT_EQ(s->call("collection:deleteSpecifications").status, 200);
  EXPECT_EQ(s->of("document:create", "a", "{}").status, 200);
  EXPECT_EQ(specify(*s, "{}", "nowhere").status, 412);
  s->client = v7;
  EXPECT_EQ(s->call("collection:updateSpecifications", R"("body":{"strict":false})").result(),
            R"({"strict":false})");
  s->call("collection:delete");
  s->call("collection:create");
  EXPECT_EQ(s->call("collection:getSpecifications").status, 404);
}

TEST(KuzzleSpecificationTest, SpecificationsAreSearchedAndScrolled) {
  const auto s = Server::with_collection();
  for (const char* name : {"c1", "c2", "c3"}) {
    s->send(R"("controller":"collection","action":"create","index":"idx","collection":")" +
            std::string(name) + '"');
    specify(*s, name == std::string("c2") ? R"({"strict":true})" : "{}", name);
  }
  const auto search = [&](const std::string& more) {
    return s->send(R"("controller":"collection","action":"searchSpecifications",)" + more);
  };
  const Answer all = search(R"("body":{})");
  EXPECT_EQ(all.text("result.total"), "3");
  EXPECT_EQ(all.text("result.hits[0]"),
            R"({"_id":"idx#c1","_score":1,"_source":{"validation":{},"index":"idx",)"
            R"("collection":"c1"}})");
  EXPECT_EQ(
      search(R"("body":{"query":{"term":{"validation.strict":true}}})").text("result.hits[0]._id"),
      R"("idx#c2")");
  EXPECT_EQ(search(R"("body":{"query":{"match_all":{}},"sort":[{"collection":"desc"}]},"size":1)")
                .text("result.hits[0]._id"),
            R"("idx#c3")");
  const Answer first = search(R"("body":{},"size":2,"scroll":"1m")");
  EXPECT_EQ(first.text("result.hits[1]._id"), R"("idx#c2")");
  const std::string id = first["result._scroll_id"].text();
  const Answer second = s->http("GET", "/validations/_scroll/" + id);
  EXPECT_EQ(second.text("result.hits[0]._id"), R"("idx#c3")");
  EXPECT_TRUE(second["result.hits[1]"].is_missing());
  const Answer of_v6 = search(R"("volatile":)" + v6 + R"(,"body":{},"size":2,"scroll":"1m")");
  EXPECT_TRUE(of_v6["result.scrollId"].is(Kind::text));
  s->advance(61'000);
  EXPECT_EQ(s->http("GET", "/validations/_scroll/" + id).status, 404);
  EXPECT_EQ(s->http("GET", "/validations/_scroll/none").status, 404);
}

TEST(KuzzleSpecificationTest, AScrollThatAClientHasMadeIsUnknown) {
  const auto s = Server::with_collection();
  specify(*s, "{}");
  const auto go_on = [&](const std::string& id) {
    return s->http("GET", "/validations/_scroll/" + id).status;
  };
  const std::string made = R"({"body":{},"from":0,"size":2,"until":9000000000000})";
  EXPECT_EQ(go_on(encode_base64url(made)), 404);
  const Instant never = Instant::never();
  EXPECT_EQ(go_on(s->page_tokens.seal({"kuzzle specifications", made, never})), 200);
  EXPECT_EQ(go_on(PageTokens("guessed").seal({"kuzzle specifications", made, never})), 404);
  EXPECT_EQ(go_on(s->page_tokens.seal({"kuzzle scrolls", made, never})), 404);
  const std::string large(limits::page_token_bytes_max, 'x');
  const Answer refused =
      s->send(R"("controller":"collection","action":"searchSpecifications","scroll":"1m",)"
              R"("body":{"query":{"term":{"index":")" +
              large + R"("}}})");
  EXPECT_NE(refused.error().find("the query of the scroll is too large"), std::string::npos);
}

TEST(KuzzleSpecificationTest, WithoutARightNoSpecificationIsStored) {
  const auto s = Server::with_collection();
  s->make_admin("boss", "boss", "pw");
  EXPECT_EQ(specify(*s, "{}").status, 403);
}

}  // namespace
}  // namespace mayfly::kuzzle
