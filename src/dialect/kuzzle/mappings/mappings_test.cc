// Which mappings are valid, which values they refuse, and how clients see them.
#include "dialect/kuzzle/mappings/mappings.h"

#include <gtest/gtest.h>

#include "dialect/kuzzle/search/limits.h"
#include "dialect/kuzzle/testing.h"

namespace mayfly::kuzzle {
namespace {

using testing::Answer;
using testing::Server;
using testing::v6;
using testing::v7;

const std::string invalid = R"("services.storage.invalid_mapping")";
const std::string strict_rejection = R"("services.storage.strict_mapping_rejection")";

TEST(KuzzleMappingsTest, AMappingHasABoundOfBytes) {
  const auto s = Server::with_collection();
  s->client = v7;
  const std::string body = R"("body":{"mappings":{"_meta":{"a":")" +
                           std::string(limits::mapping_bytes_max, 'x') + "\"}}}";
  EXPECT_EQ(s->call("collection:update", body).status, 413);
  EXPECT_EQ(s->call("document:create", R"("_id":"fits","body":{"a":1})").status, 200);
}

TEST(KuzzleMappingsTest, AMappingHasOnlyKnownMembers) {
  const auto s = Server::with_collection();
  s->client = v7;
  for (const char* body :
       {R"({"mappings":"text"})", R"({"mappings":{"dynamik":"strict"}})", R"({"dynamik":"strict"})",
        R"({"mappings":{"properties":5}})", R"({"mappings":{"properties":{"a":{"type":"word"}}}})",
        R"({"mappings":{"properties":{"a":{"properties":{"b":{"type":"word"}}}}}})"}) {
    for (const char* action : {"collection:create", "collection:update"}) {
      const Answer refused = s->call(action, R"("body":)" + std::string(body));
      EXPECT_EQ(refused.status, 400) << body;
      EXPECT_EQ(refused.text("error.id"), invalid) << body;
    }
  }
  s->client.clear();
  EXPECT_EQ(s->call("collection:create", R"("body":{"properties":{"a":{"type":"word"}}})").status,
            400);
  EXPECT_EQ(s->call("collection:create", R"("body":{"anything":1})").status, 200);
}

TEST(KuzzleMappingsTest, TheTypeOfAFieldStays) {
  const auto s = Server::with_collection();
  const auto update = [&](const std::string& properties) {
    return s->call("collection:updateMapping", R"("body":{"properties":)" + properties + "}");
  };
  EXPECT_EQ(update(R"({"a":{"type":"long"},"o":{"properties":{"p":{"type":"date"}}}})").status,
            200);
  for (const char* changed :
       {R"({"a":{"type":"text"}})", R"({"a":{"properties":{"b":{"type":"text"}}}})",
        R"({"o":{"type":"keyword"}})", R"({"o":{"properties":{"p":{"type":"long"}}}})"}) {
    EXPECT_EQ(update(changed).status, 400) << changed;
  }
  EXPECT_EQ(update(R"({"o":{"type":"object","properties":{"q":{"type":"ip"}}}})").status, 200);
  EXPECT_EQ(
      s->call("collection:getMapping").text("result.idx.mappings.col.properties.o.properties"),
      R"({"p":{"type":"date"},"q":{"type":"ip"}})");
  EXPECT_EQ(s->call("collection:create", R"("body":{"properties":{"a":{"type":"text"}}})").status,
            400)
      << "it is there";
}

TEST(KuzzleMappingsTest, AStrictMappingTakesTheFieldsThatItNames) {
  const auto s = Server::with_collection();
  s->client = v7;
  EXPECT_EQ(s->call("collection:update",
                    R"("body":{"mappings":{"dynamic":"strict","properties":{"a":{"type":"long"},)"
                    R"("o":{"properties":{"p":{"type":"text"}}},)"
                    R"("free":{"dynamic":"true","properties":{}},"g":{"type":"geo_point"}}}})")
                .status,
            200);
  const Answer refused = s->of("document:create", "d1", R"({"a":1,"name":"x"})");
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(refused.text("error.id"), strict_rejection);
  EXPECT_EQ(refused["error.message"].text(),
            "Cannot create document. Field \"name\" is not present in collection \"idx:col\" "
            "strict mapping");
  EXPECT_EQ(s->of("document:get", "d1").status, 404);
  const std::string good = R"({"a":1,"o":{"p":"x"},"free":{"any":1},"g":{"lat":1,"lon":2}})";
  EXPECT_EQ(s->of("document:create", "d1", good).status, 200);
  EXPECT_EQ(s->of("document:create", "d2", R"({"o":[{"p":"x"},{"p":"y"}]})").status, 200);
  for (const char* bad : {R"({"o":{"q":1}})", R"({"o":[{"p":"x"},{"q":1}]})", R"({"b":null})"}) {
    for (const char* action :
         {"document:create", "document:createOrReplace", "document:update", "bulk:write"}) {
      const std::string id = std::string(action) == "document:create" ? "d3" : "d1";
      EXPECT_EQ(s->of(action, id, bad).text("error.id"), strict_rejection) << action << bad;
    }
  }
  const Answer many =
      s->call("document:mCreate", R"("body":{"documents":[{"_id":"d4","body":{"a":1}},)"
                                  R"({"_id":"d5","body":{"z":1}}]})");
  EXPECT_EQ(many.text("result.successes[0]._id"), R"("d4")");
  EXPECT_EQ(many["result.errors[0].reason"].text(),
            "Cannot create document. Field \"z\" is not present in collection \"idx:col\" strict "
            "mapping");
  s->client.clear();
  EXPECT_EQ(s->of("document:create", "d6", R"({"z":1})")["error.message"].text(),
            "[strict_dynamic_mapping_exception] mapping set to strict, dynamic introduction of [z] "
            "within [col] is not allowed");
}

TEST(KuzzleMappingsTest, AValueFitsTheTypeOfItsField) {
  const auto s = Server::with_collection();
  EXPECT_EQ(s->call("collection:updateMapping",
                    R"("body":{"properties":{"l":{"type":"long"},"i":{"type":"integer"},)"
                    R"("b":{"type":"byte"},"d":{"type":"double"},"t":{"type":"boolean"},)"
                    R"("day":{"type":"date"},"own":{"type":"date","format":"epoch_second"},)"
                    R"("k":{"type":"keyword"},"w":{"type":"text"},)"
                    R"("n":{"type":"long","coerce":false},)"
                    R"("m":{"type":"long","ignore_malformed":true},)"
                    R"("o":{"properties":{"p":{"type":"long"}}}}})")
                .status,
            200);
  for (const char* body : {R"({"l":5})",
                           R"({"l":-5.5})",
                           R"({"l":"12"})",
                           R"({"l":"12.5"})",
                           R"({"l":""})",
                           R"({"l":null})",
                           R"({"l":[1,"2",null]})",
                           R"({"i":2147483647})",
                           R"({"b":-128})",
                           R"({"d":"1e3"})",
                           R"({"t":"true"})",
                           R"({"t":""})",
                           R"({"t":false})",
                           R"({"day":5})",
                           R"({"day":"2020-01-01"})",
                           R"({"day":"2020-01-01T10:00:00.123Z"})",
                           R"({"day":"2020"})",
                           R"({"day":"1577836800000"})",
                           R"({"own":"any"})",
                           R"({"k":5,"w":true})",
                           R"({"n":5})",
                           R"({"m":"x"})",
                           R"({"o":{"p":1}})",
                           R"({"o":[{"p":1},{"p":"2"}]})",
                           R"({"o":null})",
                           R"({"unnamed":{"a":"x"}})"}) {
    const Answer taken = s->of("document:createOrReplace", "d1", body);
    EXPECT_EQ(taken.status, 200) << body << taken.error();
  }
  for (const char* body :
       {R"({"l":"x"})",        R"({"l":true})",    R"({"l":{}})",
        R"({"l":[1,"x"]})",    R"({"l":"1 "})",    R"({"l":9223372036854775808})",
        R"({"i":2147483648})", R"({"b":128})",     R"({"d":"NaN"})",
        R"({"t":"yes"})",      R"({"t":1})",       R"({"day":"soon"})",
        R"({"day":"now"})",    R"({"day":true})",  R"({"day":""})",
        R"({"k":{}})",         R"({"w":{"a":1}})", R"({"n":"5"})",
        R"({"n":5.5})",        R"({"o":5})",       R"({"o":{"p":"x"}})",
        R"({"o":[5]})"}) {
    EXPECT_EQ(s->of("document:createOrReplace", "d1", body).status, 400) << body;
  }
  EXPECT_EQ(s->of("document:update", "d1", R"({"o":{"p":"x"}})")["error.message"].text(),
            "failed to parse field [o.p] of type [long] in document with id 'd1'");
  s->client = v7;
  EXPECT_EQ(s->of("document:update", "d1", R"({"l":"x"})").text("error.id"),
            R"("services.storage.unexpected_bad_request")");
}

TEST(KuzzleMappingsTest, AMappingThatWasAddedToAnotherCollectionIsForSearchesAlone) {
  const auto s = Server::with_collection();
  const auto index = s->database->catalog()->find_database("idx");
  ASSERT_TRUE(s->database->create_collection(index->id, {.name = "theirs"}));
  s->collection = "theirs";
  const std::string strict = R"({"dynamic":"strict","properties":{"a":{"type":"long"}}})";
  EXPECT_EQ(s->call("collection:updateMapping", R"("body":)" + strict).status, 200);
  EXPECT_EQ(s->of("document:create", "d1", R"({"a":"x","b":1})").status, 200);
}

TEST(KuzzleMappingsTest, UnmappedFieldsAreNotFoundIfDynamicIsFalse) {
  const auto s = Server::with_documents(
      {{"d1", R"({"a":1,"b":1,"o":{"p":1,"q":1},"f":{"x":1}})"}, {"d2", R"({"a":2})"}});
  EXPECT_EQ(s->call("collection:updateMapping",
                    R"("body":{"dynamic":"false","properties":{"a":{"type":"long"},)"
                    R"("o":{"properties":{"p":{"type":"long"}}},)"
                    R"("f":{"dynamic":"true","properties":{}}}})")
                .status,
            200);
  const auto found = [&](const std::string& query) {
    return testing::ids_of(s->call("document:search", R"("body":{"query":)" + query + "}"));
  };
  EXPECT_EQ(found(R"({"term":{"a":1}})"), "d1");
  EXPECT_EQ(found(R"({"term":{"b":1}})"), "");
  EXPECT_EQ(found(R"({"exists":{"field":"b"}})"), "");
  EXPECT_EQ(found(R"({"bool":{"must_not":[{"term":{"b":1}}]}})"), "d1 d2");
  EXPECT_EQ(found(R"({"term":{"o.p":1}})"), "d1");
  EXPECT_EQ(found(R"({"term":{"o.q":1}})"), "");
  EXPECT_EQ(found(R"({"term":{"f.x":1}})"), "d1");
  EXPECT_EQ(found(R"({"range":{"_kuzzle_info.createdAt":{"gt":0}}})"), "d1 d2");
  EXPECT_EQ(s->of("document:get", "d1").text("result._source.b"), "1");
}

TEST(KuzzleMappingsTest, AMappingIsRenderedAsInEachVersion) {
  const auto s = Server::with_collection();
  s->call("collection:updateMapping", R"("body":{"properties":{"a":{"type":"long"}}})");
  const auto mapping_shown = [&](const std::string& client, const std::string& more = "") {
    s->client = client;
    const Answer answer = s->call("collection:getMapping", more);
    return client == v7 ? answer.result() : answer.text("result.idx.mappings.col");
  };
  const std::string properties = R"("properties":{"a":{"type":"long"})";
  EXPECT_EQ(mapping_shown(""), "{" + properties + "}}");
  EXPECT_EQ(mapping_shown(v6), R"({"dynamic":"true",)" + properties + "}}");
  EXPECT_EQ(mapping_shown(v7), R"({"dynamic":"true",)" + properties + "}}");
  const std::string facts = R"("author":{"type":"keyword"},"updater":{"type":"keyword"},)"
                            R"("createdAt":{"type":"date"},"updatedAt":{"type":"date"})";
  const std::string with_metadata = R"("includeKuzzleMeta":true)";
  EXPECT_EQ(
      mapping_shown(v7, with_metadata),
      R"({"dynamic":"true",)" + properties + R"(,"_kuzzle_info":{"properties":{)" + facts + "}}}}");
  EXPECT_EQ(mapping_shown(v6, with_metadata),
            R"({"dynamic":"true",)" + properties + R"(,"_kuzzle_info":{"properties":{)" + facts +
                R"(,"active":{"type":"boolean"},"deletedAt":{"type":"date"}}}}})");
  s->call("collection:update", R"("body":{"mappings":{"dynamic":false}})");
  EXPECT_EQ(mapping_shown(v7), R"({"dynamic":"false",)" + properties + "}}");
}

TEST(KuzzleMappingsTest, TheMappingsOfSecurityBeginWithWhatItKeeps) {
  const auto s = Server::with_collection();
  EXPECT_EQ(s->call("security:getRoleMapping").text("result.mapping.controllers.type"),
            R"("object")");
  for (const char* action : {"security:getRoleMapping", "security:getProfileMapping"}) {
    EXPECT_EQ(s->call(action).text("result.mapping.tags"), R"({"type":"keyword"})") << action;
  }
  const std::string body = R"("body":{"properties":{"age":{"type":"long"}}})";
  for (const std::string kind : {"User", "Profile", "Role"}) {
    s->client.clear();
    const std::string action = "security:update" + kind + "Mapping";
    EXPECT_EQ(s->call(action, body).result(), R"({"acknowledged":true})") << kind;
    s->client = v7;
    EXPECT_EQ(s->call(action, body).text("result.properties.age"), R"({"type":"long"})") << kind;
  }
  EXPECT_EQ(s->call("security:updateUserMapping", body).result(),
            R"({"properties":{"profileIds":{"type":"keyword"},"age":{"type":"long"}}})");
}

TEST(KuzzleMappingsTest, AResetOfSecurityKeepsTheMappingOfUsers) {
  const auto s = Server::with_collection();
  s->call("security:updateUserMapping", R"("body":{"properties":{"age":{"type":"long"}}})");
  s->call("security:updateRoleMapping", R"("body":{"properties":{"age":{"type":"long"}}})");
  EXPECT_EQ(s->call("admin:resetSecurity").status, 200);
  EXPECT_EQ(s->call("security:getUserMapping").text("result.mapping.age"), R"({"type":"long"})");
  EXPECT_EQ(s->call("security:getRoleMapping").text("result.mapping.age"), "");
}

TEST(KuzzleMappingsTest, AFirstAdministratorWithResetResetsTheProfilesFromVersionTwelveOn) {
  for (const std::string& client : {std::string(), v6, v7}) {
    const auto s = Server::with_collection();
    const std::string policies = R"({"policies":[{"roleId":"changed"}]})";
    const auto of_all = {"admin", "default", "anonymous"};
    s->of("security:createOrReplaceRole", "changed",
          R"({"controllers":{"*":{"actions":{"*":true}}}})");
    for (const std::string profile : of_all) {
      EXPECT_EQ(s->of("security:createOrReplaceProfile", profile, policies).status, 200);
    }
    s->client = client;
    EXPECT_EQ(s->make_admin("boss", "boss", "pw").status, 200);
    const std::string boss = testing::by(s->log_in("boss", "pw"));
    for (const std::string profile : of_all) {
      const std::string role = client.empty() ? "changed" : profile;
      EXPECT_EQ(s->of("security:getProfile", profile, "", boss).text("result._source.policies"),
                R"([{"roleId":")" + role + R"("}])");
    }
  }
}

}  // namespace
}  // namespace mayfly::kuzzle
