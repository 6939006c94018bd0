// Fields that are learnt from documents, fields that are copied to others, and values of types with
// shapes of their own.
#include "dialect/kuzzle/mappings/learnt_fields.h"

#include <gtest/gtest.h>

#include "dialect/kuzzle/testing.h"

namespace mayfly::kuzzle {
namespace {

using testing::Answer;
using testing::ids_of;
using testing::Server;
using testing::v7;

std::string properties(Server& s) {
  return s.call("collection:getMapping").text("result.properties");
}

std::unique_ptr<Server> with_mapping(const std::string& mapping) {
  auto s = Server::with_collection();
  s->client = v7;
  EXPECT_EQ(s->call("collection:update", R"("body":{"mappings":)" + mapping + "}").status, 200);
  return s;
}

const std::string text =
    R"({"type":"text","fields":{"keyword":{"type":"keyword","ignore_above":256}}})";

TEST(KuzzleLearntFieldsTest, AMappingShowsTheFieldsThatDocumentsHave) {
  const auto s = with_mapping(R"({"properties":{"named":{"type":"keyword"}}})");
  s->of("document:create", "d1",
        R"({"named":"x","t":"word","n":1,"f":1.5,"b":true,"d":"2026-01-31T10:00:00Z","none":null,)"
        R"("l":[null,5],"o":{"p":{"q":1}},"list":[{"x":1},{"y":"z"}],"empty":[],"eo":{}})");
  EXPECT_EQ(properties(*s),
            R"({"named":{"type":"keyword"},"t":)" + text +
                R"(,"n":{"type":"long"},"f":{"type":"float"},"b":{"type":"boolean"},)"
                R"("d":{"type":"date"},"l":{"type":"long"},)"
                R"("o":{"properties":{"p":{"properties":{"q":{"type":"long"}}}}},)"
                R"("list":{"properties":{"y":)" +
                text + R"(,"x":{"type":"long"}}}})");
  // Later documents add to it, and removals take nothing away.
  s->call("document:mCreate", R"("body":{"documents":[{"body":{"later":1,"o":{"r":2}}}]})");
  s->of("document:delete", "d1");
  const Answer later = s->call("collection:getMapping");
  EXPECT_EQ(later.text("result.properties.later.type"), R"("long")");
  EXPECT_EQ(later.text("result.properties.o.properties.r.type"), R"("long")");
  EXPECT_EQ(later.text("result.properties.o.properties.p.properties.q.type"), R"("long")");
}

TEST(KuzzleLearntFieldsTest, TheFirstDocumentOfARequestDecidesWhatAFieldIs) {
  const auto s = with_mapping("{}");
  s->call("document:mCreate", R"("body":{"documents":[{"body":{"a":1,"o":{"p":1}}},)"
                              R"({"body":{"a":{"b":1},"o":5,"l":[{"x":1},7]}}]})");
  EXPECT_EQ(properties(*s), R"({"a":{"type":"long"},"o":{"properties":{"p":{"type":"long"}}},)"
                            R"("l":{"properties":{"x":{"type":"long"}}}})");
}

TEST(KuzzleLearntFieldsTest, LearntFieldsRestrictNothing) {
  const auto s = with_mapping("{}");
  s->of("document:create", "d1", R"({"a":1})");
  EXPECT_EQ(s->of("document:create", "d2", R"({"a":"word"})").status, 200);
  EXPECT_EQ(s->call("collection:getMapping").text("result.properties.a.type"), R"("long")");
  // What a client has set takes precedence.
  EXPECT_EQ(
      s->call("collection:update", R"("body":{"mappings":{"properties":{"a":{"type":"keyword"}}}})")
          .status,
      200);
  EXPECT_EQ(s->call("collection:getMapping").text("result.properties.a.type"), R"("keyword")");
}

TEST(KuzzleLearntFieldsTest, ARefusedWriteAndAMappingThatIsNotDynamicLearnNothing) {
  const auto s = with_mapping(
      R"({"properties":{"n":{"type":"long"},"still":{"dynamic":"false","properties":{}}}})");
  const std::string before = properties(*s);
  EXPECT_EQ(s->of("document:create", "d1", R"({"a":1,"n":"x"})").status, 400);
  EXPECT_EQ(s->of("document:create", "d1", R"({"still":{"a":1}})").status, 200);
  EXPECT_EQ(s->of("document:create", "d1", R"({"b":1})").status, 400) << "it is there";
  EXPECT_EQ(properties(*s), before);
  const auto none = with_mapping(R"({"dynamic":"false"})");
  none->of("document:create", "d1", R"({"a":1})");
  EXPECT_EQ(properties(*none), "{}");
}

std::string numbered_fields(int begin, int end) {
  std::string fields;
  for (int i = begin; i < end; ++i) {
    fields += (i > begin ? R"(,"f)" : R"("f)") + std::to_string(i) + R"(":1)";
  }
  return "{" + fields + "}";
}

TEST(KuzzleLearntFieldsTest, ADocumentWithTooManyFieldsIsRefusedAsByElasticsearch) {
  const auto s =
      with_mapping(R"({"properties":{"t":{"type":"text","fields":{"k":{"type":"keyword"}}},)"
                   R"("loose":{"dynamic":"false","properties":{}}}})");
  const auto create = [&](const std::string& id, const std::string& body) {
    return s->of("document:create", id, body);
  };
  // Three are in the mapping: `t`, its sub-field and `loose`.
  const Answer refused = create("d1", numbered_fields(0, 998));
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(refused.error(), R"("Limit of total fields [1000] has been exceeded")");
  EXPECT_EQ(create("d1", numbered_fields(0, 996)).status, 200);
  EXPECT_EQ(create("d2", R"({"g":"a text has a sub-field"})").status, 400);
  const Answer some =
      s->call("document:mCreate", R"("body":{"documents":[{"_id":"m1","body":{"g":1}},)"
                                  R"({"_id":"m2","body":{"h":1}}]})");
  EXPECT_EQ(some.text("result.successes[0]._id"), R"("m1")");
  EXPECT_EQ(some.text("result.errors[0].status"), "400");
  EXPECT_EQ(s->of("document:exists", "m2").text("result"), "false");
  // Known fields, and values that determine no type, are still accepted.
  EXPECT_EQ(create("d3", numbered_fields(0, 996)).status, 200);
  EXPECT_EQ(create("d4", R"({"loose":{"h":1}})").status, 200);
  EXPECT_EQ(create("d5", R"({"h":1})").status, 400);
  s->database->jobs().run_due();
  EXPECT_EQ(create("d5", R"({"h":1})").status, 400);
  EXPECT_EQ(s->call("collection:getMapping")["result.properties"].object().size(), 999U);
}

TEST(KuzzleLearntFieldsTest, AChangeIsRefusedForTheFieldsThatItBringsAlone) {
  const auto s = with_mapping("{}");
  const auto written = s->database->transact([&](Transaction& transaction) -> Result<void> {
    const CatalogPtr catalog = s->database->catalog();
    const CollectionPtr rows = catalog->find_collection(catalog->find_database("idx")->id, "col");
    Bytes packed = TRY(pack(*parse_json(numbered_fields(0, 1'100))));
    TRY(transaction.put(rows, DocumentKey::of("d1"), std::move(packed), {}));
    return {};
  });
  ASSERT_TRUE(written.has_value());
  const auto update = [&](const std::string& body) {
    return s->of("document:update", "d1", body).status;
  };
  EXPECT_EQ(update(R"({"a":1})"), 200);
  EXPECT_EQ(properties(*s), R"({"a":{"type":"long"}})");
  EXPECT_EQ(update(numbered_fields(2'000, 3'001)), 400);
  EXPECT_EQ(s->of("document:replace", "d1", numbered_fields(0, 1'100)).status, 400);
}

TEST(KuzzleLearntFieldsTest, LearntFieldsAreShownImmediatelyAndCommittedByAJob) {
  const auto s = with_mapping("{}");
  const auto committed = [&] {
    std::string facet;
    for (const auto& [id, collection] : s->database->catalog()->all_collections()) {
      const auto found = collection->facets.find(learnt_facet);
      if (found != collection->facets.end()) facet += found->second;
    }
    return facet;
  };
  s->of("document:create", "d1", R"({"a":1})");
  EXPECT_EQ(properties(*s), R"({"a":{"type":"long"}})");
  EXPECT_EQ(committed(), "");
  s->of("document:create", "d2", R"({"a":1,"o":{"b":true}})");
  s->database->jobs().run_due();
  const std::string both = R"({"a":{"type":"long"},"o":{"properties":{"b":{"type":"boolean"}}}})";
  EXPECT_EQ(committed(), R"({"properties":)" + both + "}");
  s->restart();
  EXPECT_EQ(properties(*s), both);
  // Uncommitted fields are not lost when the server ends.
  s->of("document:create", "d3", R"({"c":1.5})");
  s->restart();
  EXPECT_EQ(s->call("collection:getMapping").text("result.properties.c.type"), R"("float")");
  // Nothing is kept of a dropped collection.
  s->of("document:create", "d4", R"({"d":1})");
  EXPECT_EQ(s->call("collection:delete").status, 200);
  s->database->jobs().run_due();
  EXPECT_EQ(committed(), "");
}

TEST(KuzzleLearntFieldsTest, AFieldHasTheValuesThatAreCopiedToIt) {
  const auto s = with_mapping(
      R"({"properties":{"first":{"type":"keyword","copy_to":"all"},)"
      R"("last":{"type":"text","copy_to":["all","names"]},"all":{"type":"text"},)"
      R"("names":{"type":"keyword"},"in":{"properties":{"a":{"type":"long","copy_to":"all"}}}}})");
  s->of("document:create", "d1", R"({"first":"Ada Mary","last":"Lovelace"})");
  s->of("document:create", "d2", R"({"all":"lovelace","in":{"a":7}})");
  const auto found = [&](const std::string& query) {
    return ids_of(
        s->call("document:search", R"("body":{"query":)" + query + R"(,"sort":["_id"]})"));
  };
  EXPECT_EQ(found(R"({"match":{"all":"mary"}})"), "d1");
  EXPECT_EQ(found(R"({"match":{"all":"lovelace"}})"), "d1 d2");
  EXPECT_EQ(found(R"({"match":{"all":"7"}})"), "d2");
  EXPECT_EQ(found(R"({"term":{"names":"Lovelace"}})"), "d1");
  EXPECT_EQ(found(R"({"exists":{"field":"names"}})"), "d1");
  EXPECT_EQ(found(R"({"match":{"last":"mary"}})"), "");
  EXPECT_EQ(s->of("document:get", "d1").text("result._source.all"), "") << "no body shows it";
  for (const char* wrong : {"5", "[5]", R"("")"}) {
    EXPECT_EQ(
        s->call("collection:update", R"("body":{"mappings":{"properties":{"x":{"type":"text",)"
                                     R"("copy_to":)" +
                                         std::string(wrong) + "}}}}")
            .status,
        400)
        << wrong;
  }
}

TEST(KuzzleLearntFieldsTest, FieldsAreCopiedWithinBounds) {
  const auto s = with_mapping("{}");
  const auto update = [&](const std::string& fields) {
    return s->call("collection:update", R"("body":{"mappings":{"properties":{)" + fields + "}}}");
  };
  // A repeated target in a list counts once.
  std::string targets = R"("t")";
  for (int i = 0; i < 10'000; ++i) targets += R"(,"t")";
  EXPECT_EQ(update(R"("a":{"type":"text","copy_to":[)" + targets + "]}").status, 200);
  std::string many;
  for (int i = 0; i < 65; ++i) {
    many += std::string(i > 0 ? "," : "") + R"("f)" + std::to_string(i) +
            R"(":{"type":"text","copy_to":"t"})";
  }
  EXPECT_EQ(update(many).status, 413);
  std::string long_targets = R"("t0")";
  for (int i = 1; i < 1'000; ++i) long_targets += R"(,"t)" + std::to_string(i) + '"';
  EXPECT_EQ(update('"' + std::string(10'000, 'n') + R"(":{"type":"text","copy_to":[)" +
                   long_targets + "]}")
                .status,
            413);
}

TEST(KuzzleLearntFieldsTest, ARequestLearnsFromItsFirstDocuments) {
  const auto s = with_mapping("{}");
  std::string documents;
  for (int i = 0; i < 100; ++i) {
    documents += std::string(i > 0 ? "," : "") + R"({"body":{"f)" + std::to_string(i) + R"(":1}})";
  }
  EXPECT_EQ(s->call("document:mCreate", R"("body":{"documents":[)" + documents + "]}").status, 200);
  EXPECT_EQ(s->call("collection:getMapping")["result.properties"].object().size(), 64U);
}

struct ShapeCase {
  const char* type;
  std::vector<const char*> fit;
  std::vector<const char*> do_not;
};

TEST(KuzzleLearntFieldsTest, ValuesFitTheShapeOfTheirTypes) {
  const ShapeCase cases[] = {
      {"ip",
       {R"("127.0.0.1")", R"("::1")", R"(["10.0.0.1",null])", "null"},
       {R"("localhost")", R"("127.0.0.1\u0000")", R"("::1\u0000x")", R"("1.2.3")", R"("1.2.3.4/8")",
        "5", "{}", R"(["10.0.0.1","x"])"}},
      {"geo_point",
       {R"({"lat":1,"lon":-180})", R"({"lat":"1.5","lon":2})", R"("1.5, 2")", "[2,1]", "[2,1,7]",
        R"([[2,1],{"lat":1,"lon":2}])", R"("u33db")", R"w("POINT (30 10)")w",
        R"({"type":"Point","coordinates":[2,1]})", "[]"},
       {R"({"lat":91,"lon":0})", R"({"lat":1})", R"("1;2")", R"("181,0")", "[1]", R"(["x",1])",
        "true", "5", R"w("POINT (30)")w", R"({"type":"Point","coordinates":[2]})"}},
      {"geo_shape",
       {R"({"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]})",
        R"({"type":"point","coordinates":[1,2]})",
        R"({"type":"circle","coordinates":[1,2],"radius":"5m"})",
        R"({"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]}]})",
        R"w("LINESTRING (0 0, 1 1)")w"},
       {R"({"type":"blob","coordinates":[1,2]})", R"({"type":"polygon"})",
        R"({"type":"point","coordinates":[1,200]})", R"({"type":"circle","coordinates":[1,2]})",
        R"("here")", "5", "{}"}},
      {"integer_range",
       {R"({"gte":1,"lt":5})", R"({"gt":"1"})", "{}", R"({"gte":null})"},
       {R"({"gte":5,"lt":1})", R"({"gte":"x"})", R"({"from":1})", "5", R"("1-5")"}},
      {"double_range", {R"({"gte":1.5})"}, {R"({"lt":true})"}},
      {"date_range",
       {R"({"gte":"2026-01-01","lt":5})"},
       {R"({"gte":"soon"})", R"({"gte":true})", R"("2026-01-01")"}},
      {"ip_range",
       {R"("10.0.0.0/8")", R"("::/0")", R"({"gte":"10.0.0.1"})"},
       {R"("10.0.0.0")", R"("10.0.0.0\u0000/8")", R"("10.0.0.0/33")", R"("x/8")", R"({"gte":"x"})",
        "5"}}};
  for (const ShapeCase& row : cases) {
    const auto s =
        with_mapping(R"({"properties":{"f":{"type":")" + std::string(row.type) + R"("}}})");
    const auto write = [&](const std::string& value) {
      return s->of("document:createOrReplace", "d", R"({"f":)" + value + "}");
    };
    for (const char* value : row.fit) {
      const Answer taken = write(value);
      EXPECT_EQ(taken.status, 200) << row.type << " " << value << " " << taken.error();
    }
    for (const char* value : row.do_not) {
      EXPECT_EQ(write(value).status, 400) << row.type << " " << value;
    }
  }
}

}  // namespace
}  // namespace mayfly::kuzzle
