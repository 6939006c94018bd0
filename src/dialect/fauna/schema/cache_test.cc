#include "dialect/fauna/schema/cache.h"

#include "dialect/fauna/limits.h"
#include "dialect/fauna/schema/apply.h"
#include "dialect/fauna/schema/system.h"
#include "dialect/fauna/testing.h"

namespace mayfly::fauna::testing {
namespace {

DefinitionPtr definition(const std::string& name) {
  return std::make_shared<const CollectionDefinition>(read_definition(name, Object{}));
}

TEST(KnownSchemas, KnowsTheNewestVersionOfEachDatabase) {
  KnownSchemas all;
  const KnownSchemaPtr first = all.find(1, Instant{10});
  EXPECT_FALSE(first->find_collection("A"));
  first->add_collection("A", definition("A"), 100);
  first->add_collection("B", nullptr, 0);
  EXPECT_EQ(all.find(1, Instant{10}), first);
  EXPECT_EQ((*first->find_collection("A"))->name, "A");
  EXPECT_EQ(*first->find_collection("B"), nullptr);
  EXPECT_FALSE(all.find(2, Instant{10})->find_collection("A"));
  // A later version begins empty; a query of an earlier one finds none.
  EXPECT_FALSE(all.find(1, Instant{11})->find_collection("A"));
  EXPECT_EQ(all.find(1, Instant{10}), nullptr);
}

TEST(KnownSchemas, ForgetsAllBeyondItsBound) {
  KnownSchemas all;
  const KnownSchemaPtr schema = all.find(1, Instant{10});
  for (int i = 0; all.find(1, Instant{10}) == schema; ++i) {
    ASSERT_LE(all.bytes(), limits::fql_known_bytes_max);
    schema->add_collection("C" + std::to_string(i), definition("C"), 1'000);
  }
  EXPECT_LE(all.bytes(), limits::fql_known_bytes_max);
  // Of names that there are not some are kept: a client may ask for any.
  const KnownSchemaPtr next = all.find(1, Instant{10});
  for (int i = 0; i < 10'000; ++i) next->add_collection("X" + std::to_string(i), nullptr, 0);
  EXPECT_EQ(all.find(1, Instant{10}), next);
  EXPECT_TRUE(next->find_collection("X0").has_value());
  EXPECT_FALSE(next->find_collection("X9999").has_value());
}

TEST(KnownSchemas, GiveBackTheBytesOfAVersionThatIsReplaced) {
  KnownSchemas all;
  const auto read = [&](Instant version) {
    const KnownSchemaPtr schema = all.find(1, version);
    schema->add_collection("A", definition("A"), 1'000);
    return schema;
  };
  const KnownSchemaPtr other = all.find(2, Instant{10});
  const KnownSchemaPtr first = read(Instant{10});
  const std::size_t of_one = all.bytes();
  KnownSchemaPtr last;
  for (int i = 11; i < 100; ++i) last = read(Instant{i});
  EXPECT_EQ(all.bytes(), of_one);
  // A query of an earlier version still reads into what it has.
  first->add_collection("B", definition("B"), 1'000);
  EXPECT_EQ(all.bytes(), of_one);
  // What is forgotten beyond the bound does not count either.
  last->add_collection("C", definition("C"), limits::fql_known_bytes_max);
  EXPECT_EQ(all.bytes(), 0U);
  other->add_collection("D", definition("D"), 1'000);
  EXPECT_EQ(all.bytes(), 0U);
}

class KnownSchemaTest : public FaunaTest {};

TEST_F(KnownSchemaTest, EachQueryMeansTheSchemaOfItsInstant) {
  run_lines({
      {"a change is seen at once", R"(Collection.create({ name: "A" }))"},
      {"", R"(A.create({ id: 1, n: 1 }).n)", "1"},
      {"", R"(A.byId("1")!.c)", "null"},
      {"", R"(A.definition.update({ computed_fields: { c: { body: "x => x.n + 1" } } }))"},
      {"", R"(A.byId("1")!.c)", "2"},
      {"", R"(A.definition.update({ computed_fields: { c: { body: "x => x.n + 2" } } }))"},
      {"", R"(A.byId("1")!.c)", "3"},
      {"also by the query that makes it",
       R"({ A.definition.update({ computed_fields: { c: { body: "x => x.n + 3" } } })
            A.byId("1")!.c })",
       "4"},
      {"a name that was missing", R"(B.byId("1"))", "unbound_variable…"},
      {"", R"(Collection.create({ name: "B", alias: "Bee" }))"},
      {"", R"(Bee.byId("1").exists())", "false"},
      {"", R"(Collection.byName("B")!.delete())"},
      {"", R"(Bee.byId("1"))", "unbound_variable…"},
      {"functions", R"(f(1))", "unbound_variable…"},
      {"", R"(Function.create({ name: "f", body: "x => x + 1" }))"},
      {"", R"(f(1))", "2"},
      {"", R"(Function.byName("f")!.update({ body: "x => x + 2" }))"},
      {"", R"(f(1))", "3"},
      {"", R"(Function.byName("f")!.delete())"},
      {"", R"(f(1))", "unbound_variable…"},
      {"defaults and types", R"(Collection.create({ name: "D", fields: {
            n: { signature: "Int", default: "7" } } }))"},
      {"", R"(D.create({}).n)", "7"},
      {"", R"(D.create({ n: "x" }))", "constraint_failure…"},
      {"", R"(D.create({}).n)", "7"},
  });
}

TEST_F(KnownSchemaTest, AViewHasTheVersionThatItWouldRead) {
  KnownSchemas known;
  run_lines({{"", R"(Collection.create({ name: "A" }))"}});
  const DatabaseId place = database->catalog()->find_database("fauna")->id;
  View first = database->view();
  const Instant before = schema_version(first, place).value();
  EXPECT_EQ(known.version(first, place).value(), before);
  run_lines({{"documents of others do not count", R"(A.create({ n: 1 }).n)", "1"}});
  const CollectionPtr table = database->catalog()->find_internal(place, system_table);
  EXPECT_TRUE(table->commits->unraised_since(first.now()));
  View second = database->view();
  EXPECT_EQ(known.version(second, place).value(), before);
  run_lines({{"", R"(A.definition.update({ computed_fields: { c: { body: "x => 1" } } }))"}});
  EXPECT_FALSE(table->commits->unraised_since(second.now()));
  View third = database->view();
  const Instant after = schema_version(third, place).value();
  EXPECT_LT(before, after);
  EXPECT_EQ(known.version(third, place).value(), after);
  EXPECT_EQ(known.version(second, place).value(), before);
  EXPECT_EQ(known.version(third, place).value(), after);
}

}  // namespace
}  // namespace mayfly::fauna::testing
