// Rows of the catalog: reading gives what was written, and anything else is damage.
#include <gtest/gtest.h>

#include <string>

#include "db/catalog/catalog.h"

namespace mayfly {
namespace {

Collection sessions() {
  Collection c{.id = 7, .database = 1, .name = "sessions", .created_at = Instant{5}};
  c.policy.change_default(After{Span::seconds(10)}, Instant{6});
  c.policy.change_default(Never{}, Instant{9});
  c.policy.default_counts_from = CountsFrom::write;
  c.policy.stamp = Stamp{Span::seconds(3), Stamp::When::every_write};
  c.indexes = {
      {.id = 1, .name = "by_a", .fields = {{Field::body("a"), true}}},
      {.id = 2, .name = "by_b", .fields = {{Field::body("b")}}, .unique = Uniqueness::of_complete},
      {.id = 3, .name = "by_c", .fields = {{Field::body("c")}}, .unique = Uniqueness::of_routing},
      {.id = 4, .name = "by_d", .fields = {{Field::body("d")}}, .entries = Entries::cut},
      {.id = 5,
       .name = "by_e",
       .fields = {{Field::body("e")}},
       .is_of_definition = true,
       .past_since = Instant{11}},
      {.id = 6,
       .name = "by_f",
       .fields = {{Field::body("f"), true, true}, {Field::body("g"), false, false, true}}}};
  c.facets = {{"native", "{}"}};
  c.body = {.partition = {Path::of("pk"), Path::of("a b")},
            .may_lack_partition = true,
            .specifies_lifetime = true,
            .lifetime_start = Path::of("since")};
  return c;
}

TEST(CatalogRowsTest, ARowIsReadAsItWasWritten) {
  const std::string row = encode(sessions());
  const auto again = decode_collection(row);
  ASSERT_TRUE(again);
  EXPECT_EQ(encode(*again), row);
  EXPECT_EQ(again->policy, sessions().policy);
  EXPECT_EQ(again->body, sessions().body);
  EXPECT_EQ(again->indexes[0].unique, Uniqueness::none);
  EXPECT_EQ(again->indexes[1].unique, Uniqueness::of_complete);
  EXPECT_EQ(again->indexes[2].unique, Uniqueness::of_routing);
  EXPECT_EQ(again->indexes[2].entries, Entries::whole);
  EXPECT_EQ(again->indexes[3].entries, Entries::cut);
  EXPECT_FALSE(again->indexes[3].is_of_definition);
  EXPECT_TRUE(again->indexes[4].is_of_definition);
  EXPECT_EQ(again->indexes[3].past_since, Instant::never());
  EXPECT_EQ(again->indexes[4].past_since, Instant{11});
  for (std::size_t i = 0; i < again->indexes.size(); ++i) {
    EXPECT_EQ(again->indexes[i].fields, sessions().indexes[i].fields);
  }
}

// So an earlier version, which does not know the list, refuses the row.
TEST(CatalogRowsTest, AFieldHasEitherTheListOrTheMemberOfBefore) {
  const std::string row = encode(sessions());
  EXPECT_NE(row.find(R"({"part":"body","path":".f","order":["descending","null_greatest"]})"),
            std::string::npos)
      << row;
  EXPECT_NE(row.find(R"("path":".g","order":["each"]})"), std::string::npos) << row;
  EXPECT_NE(row.find(R"("path":".d","descending":false})"), std::string::npos) << row;
}

TEST(CatalogRowsTest, ACollectionWithoutTheMemberCountsFromTheSecond) {
  std::string row = encode(sessions());
  const std::string member = R"("default_counts_from":"write",)";
  const auto at = row.find(member);
  ASSERT_NE(at, std::string::npos);
  const auto read = decode_collection(row.erase(at, member.size()));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->policy.default_counts_from, CountsFrom::second);
}

TEST(CatalogRowsTest, AWrongMemberInARowIsDamageAndNotAnotherPolicy) {
  const std::pair<const char*, const char*> changes[] = {
      {R"("id":7)", R"("id":4294967303)"},
      {R"("id":7)", R"("id":-1)"},
      {R"("id":7)", R"("id":7.5)"},
      {R"("default":"never")", R"("default":"for ever")"},
      {R"("default":"never")", R"("default":true)"},
      {R"(,"default":"never")", ""},
      {R"("from":9)", R"("from":6)"},
      {R"("from":9)", R"("from":-1)"},
      {R"("every_write")", R"("sometimes")"},
      {R"("part":"body")", R"("part":"head")"},
      {R"("native":"{}")", R"("native":1)"},
      {R"("unique":"of_routing")", R"("unique":"of_all")"},
      {R"(["descending","null_greatest"])", R"(["descending","null_least"])"},
      {R"(["each"])", R"([1])"},
      {R"(["each"])", R"("each")"},
      {R"("entries":"cut")", R"("entries":"torn")"},
      {R"("of_definition":true)", R"("of_definition":1)"},
      {R"("past_since":11)", R"("past_since":"11")"},
      {R"("says_lifetime":true)", R"("says_lifetime":1)"},
      {R"("lifetime_start":".since")", R"("lifetime_start":7)"},
      {R"("partition":[".pk")", R"("partition":[7)"},
      {R"("default_counts_from":"write")", R"("default_counts_from":"minute")"},
  };
  const std::string row = encode(sessions());
  for (const auto& [from, to] : changes) {
    std::string changed = row;
    const std::size_t at = changed.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    changed.replace(at, std::string_view(from).size(), to);
    const auto read = decode_collection(changed);
    ASSERT_FALSE(read) << changed;
    EXPECT_EQ(read.error().code, Code::corrupt);
  }
}

}  // namespace
}  // namespace mayfly
