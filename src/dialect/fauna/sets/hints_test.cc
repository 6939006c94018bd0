#include "dialect/fauna/sets/hints.h"

#include "dialect/fauna/testing.h"

namespace mayfly::fauna::testing {
namespace {

class HintsTest : public FaunaTest {
 protected:
  HintsTest() {
    query(R"(Collection.create({ name: "A", indexes: {
      byKind: { terms: [{ field: ".kind" }], values: [{ field: ".price" }] } } }))");
    query(R"(A.create({ kind: "a", price: 1, other: 2 }))");
  }
  std::string hints_of(const std::string& text) {
    return query(text, {{"x-performance-hints", "true"}, {"x-typecheck", "false"}}).summary();
  }
};

TEST_F(HintsTest, NameSetsThatNoIndexServes) {
  EXPECT_EQ(hints_of("A.all().where(.other == 2).toArray()"),
            "performance_hint: full_set_read - Using where() causes the full set to be read: no "
            "index serves it.\nat *query*:1:15\n  |\n1 | A.all().where(.other == 2).toArray()\n"
            "  |               ^^^^^^^^^^^\n  |");
  EXPECT_NE(hints_of("A.all().order(.price).first()").find("Using order()"), std::string::npos);
  EXPECT_NE(hints_of("A.where(.other == 2).count()").find("Using where()"), std::string::npos);
}

TEST_F(HintsTest, AreAbsentIfAnIndexServesTheSet) {
  for (const char* text :
       {R"(A.all().where(.kind == "a").toArray())", R"(A.byKind("a").order(.price).first())",
        R"(A.byKind("a").count())", "A.all().toArray()"}) {
    EXPECT_EQ(hints_of(text), "") << text;
  }
}

TEST_F(HintsTest, HaveABoundSeparateFromLogs) {
  const std::string logs = "Array.sequence(0, 30).forEach(n => log(n));";
  EXPECT_NE(hints_of(logs + "A.all().where(.other == 2).toArray()").find("Using where()"),
            std::string::npos);
  std::string many;
  for (int i = 0; i < 30; ++i) many += "A.all().where(.other == 2).toArray();";
  const std::string result = hints_of(many + logs + "log('last')");
  std::size_t hints = 0;
  for (std::size_t at = 0; (at = result.find("full_set_read", at)) != result.npos; ++at) ++hints;
  EXPECT_EQ(hints, 20U);
  EXPECT_NE(result.find(": last"), std::string::npos);
}

TEST_F(HintsTest, AreShownOnlyOnRequest) {
  EXPECT_EQ(query("A.all().where(.other == 2).toArray()").summary(), "");
}

}  // namespace
}  // namespace mayfly::fauna::testing
