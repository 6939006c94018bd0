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

TEST(SchemaCache, KnowsTheNewestVersionOfEachDatabase) {
  SchemaCache all;
  const CachedSchemaPtr first = all.find(1, Instant{10});
  EXPECT_FALSE(first->find_collection("A"));
  first->add_collection("A", definition("A"), 100);
  first->add_collection("B", nullptr, 0);
  EXPECT_EQ(all.find(1, Instant{10}), first);
  EXPECT_EQ((*first->find_collection("A"))->name, "A");
  EXPECT_EQ(*first->find_collection("B"), nullptr);
  EXPECT_FALSE(all.find(2, Instant{10})->find_collection("A"));
  // A later version starts with an empty cache; a query of an earlier version gets none.
  EXPECT_FALSE(all.find(1, Instant{11})->find_collection("A"));
  EXPECT_EQ(all.find(1, Instant{10}), nullptr);
}

TEST(SchemaCache, ForgetsAllBeyondItsBound) {
  SchemaCache all;
  const CachedSchemaPtr schema = all.find(1, Instant{10});
  for (int i = 0; all.find(1, Instant{10}) == schema; ++i) {
    ASSERT_LE(all.bytes(), limits::fql_cached_schema_bytes_max);
    schema->add_collection("C" + std::to_string(i), definition("C"), 1'000);
  }
  EXPECT_LE(all.bytes(), limits::fql_cached_schema_bytes_max);
  // Only some missing names are cached, because clients may ask for any name.
  const CachedSchemaPtr next = all.find(1, Instant{10});
  for (int i = 0; i < 10'000; ++i) next->add_collection("X" + std::to_string(i), nullptr, 0);
  EXPECT_EQ(all.find(1, Instant{10}), next);
  EXPECT_TRUE(next->find_collection("X0").has_value());
  EXPECT_FALSE(next->find_collection("X9999").has_value());
}

TEST(SchemaCache, ReleasesTheBytesOfAReplacedVersion) {
  SchemaCache all;
  const auto read = [&](Instant version) {
    const CachedSchemaPtr schema = all.find(1, version);
    schema->add_collection("A", definition("A"), 1'000);
    return schema;
  };
  const CachedSchemaPtr other = all.find(2, Instant{10});
  const CachedSchemaPtr first = read(Instant{10});
  const std::size_t of_one = all.bytes();
  CachedSchemaPtr last;
  for (int i = 11; i < 100; ++i) last = read(Instant{i});
  EXPECT_EQ(all.bytes(), of_one);
  // A query of an earlier version still fills its own cache.
  first->add_collection("B", definition("B"), 1'000);
  EXPECT_EQ(all.bytes(), of_one);
  // Entries dropped because of the bound do not count any more.
  last->add_collection("C", definition("C"), limits::fql_cached_schema_bytes_max);
  EXPECT_EQ(all.bytes(), 0U);
  other->add_collection("D", definition("D"), 1'000);
  EXPECT_EQ(all.bytes(), 0U);
}

class SchemaCacheTest : public FaunaTest {};

TEST_F(SchemaCacheTest, EachQueryMeansTheSchemaOfItsInstant) {
  run_steps({
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

TEST_F(SchemaCacheTest, AViewHasTheVersionThatItWouldRead) {
  SchemaCache known;
  run_steps({{"", R"(Collection.create({ name: "A" }))"}});
  const DatabaseId database_id = database->catalog()->find_database("fauna")->id;
  View first = database->view();
  const Instant before = schema_version(first, database_id).value();
  EXPECT_EQ(known.version(first, database_id).value(), before);
  run_steps({{"documents of others do not count", R"(A.create({ n: 1 }).n)", "1"}});
  const CollectionPtr table = database->catalog()->find_internal(database_id, system_table);
  EXPECT_TRUE(table->commits->unraised_since(first.now()));
  View second = database->view();
  EXPECT_EQ(known.version(second, database_id).value(), before);
  run_steps({{"", R"(A.definition.update({ computed_fields: { c: { body: "x => 1" } } }))"}});
  EXPECT_FALSE(table->commits->unraised_since(second.now()));
  View third = database->view();
  const Instant after = schema_version(third, database_id).value();
  EXPECT_LT(before, after);
  EXPECT_EQ(known.version(third, database_id).value(), after);
  EXPECT_EQ(known.version(second, database_id).value(), before);
  EXPECT_EQ(known.version(third, database_id).value(), after);
}

}  // namespace
}  // namespace mayfly::fauna::testing
