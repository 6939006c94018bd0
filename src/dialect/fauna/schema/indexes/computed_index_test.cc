// Indexes and unique constraints over computed fields.
#include <cmath>

#include "db/write/transaction.h"
#include "dialect/fauna/schema/indexes/lower_computed.h"
#include "dialect/fauna/syntax/parser.h"
#include "dialect/fauna/testing.h"
#include "expr/evaluation/evaluate.h"

namespace mayfly::fauna {
namespace {

class ComputedIndexes : public testing::FaunaTest {
 protected:
  CollectionPtr core(const std::string& name) {
    const auto catalog = database->catalog();
    return catalog->find_collection(catalog->find_database("fauna")->id, name);
  }
  // Writes a document as another API does.
  std::string put(const std::string& collection, const std::string& id, const std::string& json) {
    const auto done = database->transact([&](Transaction& t) -> Result<void> {
      const auto body = pack(*parse_json(json));
      TRY(t.put(core(collection), DocumentKey::of(id), *body, {}));
      return {};
    });
    return done ? "" : std::string(name_of(done.error().code));
  }
};

constexpr const char* users =
    "Collection.create({ name: 'U', history_days: 1,"
    " computed_fields: { lower: { body: 'u => u.email.toLowerCase()' } },"
    " indexes: { byLower: { terms: ['.lower'] },"
    " sorted: { values: [{ field: '.lower', order: 'desc' }] } },"
    " constraints: [{ unique: ['.lower'] }] }).constraints[0].status";

TEST_F(ComputedIndexes, AUniqueConstraintCanIgnoreCase) {
  run_steps({
      {"", users, "\"active\""},
      {"", "U.create({ id: '1', email: 'Ann@x.org' }).lower", "\"ann@x.org\""},
      {"create", "U.create({ email: 'ANN@X.ORG' })", R"(constraint_failure: …[[["lower"]] Fail…)"},
      {"", "U.create({ id: '2', email: 'bob@x.org' }).lower", "\"bob@x.org\""},
      {"update", "U.byId('2')!.update({ email: 'aNN@x.org' })", "constraint_failure: …"},
      {"", "U.byId('1')!.update({ email: 'ANN@x.org' }).lower", "\"ann@x.org\""},
      {"null", "U.create({ id: '3' }).email", "null"},
      {"", "U.create({ id: '4', email: null }).email", "null"},
      {"", "U.byLower('ann@x.org').map(.id).toArray()", R"(["1"])"},
      {"", "U.byLower('ANN@x.org').toArray()", "[]"},
      {"", "U.byLower(null).toArray()", "[]"},
      {"", "U.sorted().map(.id).toArray()", R"(["3","4","2","1"])"},
      {"dead", "U.byId('1')!.update({ ttl: Time.now().add(1, 'second') }).lower", "\"ann@x.org\""},
      {"", "U.create({ email: 'Ann@X.org' })", "constraint_failure: …"},
      {"", "wait 3", ""},
      {"", "U.create({ id: '5', email: 'Ann@X.org' }).lower", "\"ann@x.org\""},
      {"", "U.byLower('ann@x.org').map(.id).toArray()", R"(["5"])"},
  });
}

TEST_F(ComputedIndexes, OtherApisMustSatisfyIt) {
  run_steps(
      {{"", users, "\"active\""}, {"", "U.create({ id: '1', email: 'Ann' }).lower", "\"ann\""}});
  EXPECT_EQ(put("U", "2", R"({"email":"ANN"})"), "exists");
  EXPECT_EQ(put("U", "2", R"({"email":"Bob"})"), "");
  EXPECT_EQ(put("U", "3", R"({"email":7})"), "");
  run_steps({{"", "U.byLower('bob').map(.id).toArray()", R"(["2"])"},
             {"", "U.create({ email: 'BOB' })", "constraint_failure: …"}});
}

TEST_F(ComputedIndexes, TheyAreBuiltForExistingDocumentsAndFailIfViolated) {
  run_steps({
      {"",
       "Collection.create({ name: 'C', computed_fields: "
       "{ lower: { body: 'u => u.email.toLowerCase()' } } }).name",
       "\"C\""},
      {"", "C.create({ id: '1', email: 'A' }).lower", "\"a\""},
      {"", "C.create({ id: '2', email: 'a' }).lower", "\"a\""},
      {"", "C.create({ id: '3', email: 'B' }).lower", "\"b\""},
      {"", "C.definition.update({ indexes: { byLower: { terms: ['lower'] } } }).name", "\"C\""},
      {"", "C.byLower('a').map(.id).toArray()", R"(["1","2"])"},
      {"", "C.definition.update({ constraints: [{ unique: ['lower'] }] }).name", "\"C\""},
      {"", "C.definition.constraints[0].status", "\"failed\""},
  });
}

TEST_F(ComputedIndexes, AnotherBodyMakesAnotherIndex) {
  run_steps({
      {"", users, "\"active\""},
      {"", "U.create({ id: '1', email: 'Ann' }).lower", "\"ann\""},
      {"", "U.create({ id: '2', email: 'Bob' }).lower", "\"bob\""},
      {"",
       "U.definition.update({ computed_fields: { lower: { body: '(.email.toUpperCase())' } } })"
       ".name",
       "\"U\""},
      {"", "U.byLower('ANN').map(.id).toArray()", R"(["1"])"},
      {"", "U.byLower('ann').toArray()", "[]"},
      {"", "U.create({ email: 'ann' })", "constraint_failure: …"},
      {"", "U.definition.update({ computed_fields: { lower: { body: '(.email.casefold())' } } })",
       "…`lower` is a computed field, and `.email.casefold()` in it cannot be indexed here.…"},
      {"", "U.definition.replace({ name: 'U' }).name", "\"U\""},
      {"", "U.create({ email: 'ann' }).email", "\"ann\""},
  });
  EXPECT_EQ(core("U")->indexes.size(), 1U);
}

TEST_F(ComputedIndexes, TheyAreReadInOrderInRangesAndInThePast) {
  run_steps({
      {"",
       "Collection.create({ name: 'C', history_days: 1, computed_fields: {"
       " full: { body: '(u) => u.first.toLowerCase() + \" \" + u.last.toLowerCase()' },"
       " adult: { body: 'u => u.grown == true && !(u.banned == true)' } },"
       " indexes: { by: { terms: ['.adult'], values: ['.full'] } } }).name",
       "\"C\""},
      {"", "C.create({ id: '1', first: 'Zoe', last: 'A', grown: true }).full", "\"zoe a\""},
      {"", "C.create({ id: '2', first: 'ann', last: 'b', grown: true }).full", "\"ann b\""},
      {"", "C.create({ id: '3', first: 'Ann', last: 'C', grown: true, banned: true }).adult",
       "false"},
      {"", "C.create({ id: '4', first: 'MAX', last: 'm', grown: true }).adult", "true"},
      {"", "C.create({ id: '5', first: 'Tim' }).adult", "false"},
      {"", "C.by(true).map(.id).toArray()", R"(["2","4","1"])"},
      {"", "C.by(false).map(.id).toArray()", R"(["3","5"])"},
      {"", "C.by(true, { from: 'b', to: 'n' }).map(.id).toArray()", R"(["4"])"},
      {"", "C.by(true, { from: 'max m' }).map(.id).toArray()", R"(["4","1"])"},
      {"", "C.by(true).reverse().pageSize(2).map(.id)", R"(…"data":["1","4"]…)"},
      {"", "Time.now().toString()", "$then="},
      {"", "wait 2", ""},
      {"", "C.byId('4')!.update({ first: 'Aaa' }).full", "\"aaa m\""},
      {"", "C.byId('2')!.delete()", "…"},
      {"", "C.by(true).map(.id).toArray()", R"(["4","1"])"},
      {"", "at (Time('$then')) { C.by(true).map(.id).toArray() }", R"(["2","4","1"])"},
  });
}

TEST_F(ComputedIndexes, TheyAreOverNumbers) {
  run_steps({
      {"fsl",
       "fsl collection Customer { compute status: String = (doc => (if (doc.points > 100) "
       "{ \"gold\" } else { \"standard\" }))  index byStatus { terms [.status] } }\n"
       "collection Product { compute worth: Number = (.stock * .price)"
       "  index byWorth { values [desc(.worth)] } }"},
      {"", "Customer.create({ id: '1', points: 101 }).status", "\"gold\""},
      {"", "Customer.create({ id: '2', points: 100 }).status", "\"standard\""},
      {"", "Customer.create({ id: '3' }).status", "\"standard\""},
      {"", "Customer.byStatus('gold').map(.id).toArray()", R"(["1"])"},
      {"", "Customer.byStatus('standard').map(.id).toArray()", R"(["2","3"])"},
      {"", "Product.create({ id: '1', stock: 10, price: 2.5 }).worth", "25"},
      {"", "Product.create({ id: '2', stock: 7, price: 7 }).worth", "49"},
      {"", "Product.create({ id: '3', stock: 7 }).stock", "7"},
      {"", "Product.byWorth({ to: 25 }).map(.id).toArray()", R"(["3","2","1"])"},
      {"", "Product.byWorth({ from: 40 }).map(.id).toArray()", R"(["1"])"},
  });
}

TEST_F(ComputedIndexes, APartOfATermIsRefused) {
  const std::string start =
      "Collection.create({ name: 'C', computed_fields: { c: { body: '(.a.toLowerCase())' } }, ";
  run_steps({
      {"", start + "indexes: { i: { terms: ['.c.d'] } } })",
       "…`c` is a computed field, which is indexed as a whole.…"},
      {"", start + "indexes: { i: { terms: [{ field: '.c', mva: true }] } } })",
       "…`c` is a computed field, which is indexed as a whole.…"},
      {"", start + "constraints: [{ unique: ['.a', '.c'] }] }).name", "\"C\""},
      {"", "C.create({ a: 'X' }).c", "\"x\""},
      {"", "C.create({ a: 'x' }).c", "\"x\""},
      {"", "C.create({ a: 'X' })", "constraint_failure: …"},
      {"fsl",
       "fsl collection D { compute c: String = (d => d.a.toLowerCase())  index i { terms [.c] } }"},
      {"", "D.create({ id: '1', a: 'X' }).c", "\"x\""},
      {"", "D.i('x').map(.id).toArray()", R"(["1"])"},
  });
}

struct Refused {
  const char* body;
  const char* part;
};

TEST_F(ComputedIndexes, ABodyThatHasNoExactExpressionIsRefused) {
  const Refused cases[] = {
      {"x => x.a", "x.a"},
      {"x => x.a.b", "x.a.b"},
      {"x => x.a.casefold()", "x.a.casefold()"},
      {"x => x.a + x.b", "x.b"},
      {"x => 'a' + x.b", "x.b"},
      {"x => x.a + 1", "x.a + 1"},
      {"x => \"#{x.a}\"", "x.a"},
      {"x => \"#{x.a?.toLowerCase()}\"", "\"#{x.a?.toLowerCase()}\""},
      {"x => x.a == null", "x.a == null"},
      {"x => x.a < 'b'", "x.a < 'b'"},
      {"x => x.a == x.b", "x.a == x.b"},
      {"x => x.a.includes('b')", "x.a.includes('b')"},
      {"x => x.a.startsWith('b') && x.b == 1", "x.a.startsWith('b') && x.b == 1"},
      {"x => 1 + x.a", "x.a"},
      {"x => x.a * 2 + x.b", "x.b"},
      {"x => x.a / 2", "x.a / 2"},
      {"x => x.a * 'b'", "x.a * 'b'"},
      {"x => x.a - x.b > 'c'", "x.a - x.b > 'c'"},
      {"x => if (x.a) 1 else 2", "x.a"},
      {"x => x.ttl == 1", "x.ttl"},
      {"x => x.id.toLowerCase()", "x.id.toLowerCase()"},
      {"x => x.other.toLowerCase()", "x.other.toLowerCase()"},
      {"x => Time.now()", "Time"},
      {"x => C.all().count()", "C"},
      {"x => x.a ?? 'b'", "x.a ?? 'b'"},
      {"x => { let y = 1; y }", "{ let y = 1; y }"},
  };
  const auto is_computed = [](std::string_view name) { return name == "other"; };
  for (const Refused& one : cases) {
    const auto body = parse_lambda(make_source("*body*", one.body));
    ASSERT_TRUE(body) << one.body;
    const LoweredField lowered = lower_computed(**body, is_computed);
    EXPECT_FALSE(lowered.computed) << one.body;
    EXPECT_EQ(lowered.problem, one.part) << one.body;
  }
}

// Bodies over `a` and `b`.
constexpr const char* lowered_bodies[] = {
    "x => 'c'",
    "x => null",
    "x => 5",
    "x => true",
    "(.a.toLowerCase())",
    "x => x.a.toUpperCase()",
    "x => x.a?.toLowerCase()",
    "x => x.a.toLowerCase().toUpperCase().length",
    "x => x.a?.toUpperCase().length",
    "x => (x.a?.toUpperCase()).toLowerCase()",
    "x => x.a.startsWith('A')",
    "x => x.a.endsWith('')",
    "x => x.a?.startsWith('st')",
    "x => x.a.toLowerCase().includes('b')",
    "x => x.a + 'z'",
    "x => x.a + '-' + x.b.toLowerCase()",
    "x => x.a?.toLowerCase() + 'y'",
    "x => \"<#{x.a.toLowerCase()}>#{x.b.toUpperCase()}\"",
    "x => x.a == 'Abc'",
    "x => x.a != 'Abc'",
    "x => '7' == x.a",
    "x => '007' == x.a",
    "x => 5 == x.a",
    "x => x.a == 7",
    "x => x.a != 7",
    "x => x.a == 1.5",
    "x => x.a < 7",
    "x => -1.5 <= x.a",
    "x => 100 > x.a",
    "x => x.a - x.a < 5",
    "x => x.a >= 5",
    "x => 5 > x.a",
    "x => -1 <= x.a",
    "x => if (x.a > 5) 'gold' else 'standard'",
    "x => x.a > 1 && x.a <= 5.5",
    "x => x.a * x.b",
    "x => x.a * 3 - x.b",
    "x => x.a - 1 - x.a",
    "x => x.a * 2 + 1",
    "x => 1 + x.a * x.a + 0.5",
    "x => x.a * x.a > 20",
    "x => x.a.toLowerCase() == 'abc'",
    "x => 'ABC' != x.a.toUpperCase()",
    "x => x.a.toLowerCase().length >= 3",
    "x => x.a > false",
    "x => x.a >= false",
    "x => x.a < true",
    "x => true >= x.a",
    "x => x.a == true",
    "x => false == x.a",
    "x => x.a != true",
    "x => !(x.a == true) && x.b == true || x.a == false",
    "x => (x.a == true || x.b == true) && x.b != false",
    "x => if (x.a == true) x.b.toLowerCase() else 'other'",
    "x => if (x.b == true) x.a.toUpperCase()",
    "x => if (x.a > false) 1 else if (x.b == true) 'two' else null",
    "x => (if (x.b == true) 'X' else null).toLowerCase()",
    "x => (if (x.b == true) x.a.toLowerCase() else 'Y') + '!'",
};
constexpr const char* values_of_a[] = {
    "null",
    "''",
    "'Abc'",
    "'abc'",
    "'straße ǅ İ'",
    "5",
    "-1",
    "1.5",
    "5.0",
    "9007199254740993",
    "true",
    "false",
    "['A', 'b']",
    "{ length: 3 }",
    "{ toLowerCase: 'x', a: 1 }",
    "C('1')",
    "C('99')",
    "Time('2026-01-01T00:00:00.123456789Z')",
    "Date('2026-01-01')",
    "ID('7')",
    "'7'",
    "'007'",
    "7",
    "9223372036854775807",
    "Math.NaN",
    "Math.Infinity",
    "-Math.Infinity",
};
// The value in the form of a response.
std::string as_response(const mayfly::Value& value) {
  if (value.is_missing()) return "null";
  if (!value.is(Kind::real) || std::isfinite(value.real())) return render_json(value);
  return std::isnan(value.real()) ? "\"NaN\"" : value.real() > 0 ? "\"Infinity\"" : "\"-Infinity\"";
}

constexpr const char* values_of_b[] = {"null", "2",   "-0.5", "9223372036854775807",
                                       "'B'",  "'ß'", "true", "C('99')"};

TEST_F(ComputedIndexes, TheExpressionIsEquivalentToTheBody) {
  std::string fields;
  std::vector<StoredExpression> expressions;
  for (const char* body : lowered_bodies) {
    const auto parsed = parse_lambda(make_source("*body*", body));
    ASSERT_TRUE(parsed) << body;
    LoweredField lowered = lower_computed(**parsed, [](std::string_view) { return false; });
    ASSERT_TRUE(lowered.computed) << body << ": " << lowered.problem;
    const std::string name = "c" + std::to_string(expressions.size());
    std::string text = render_json(mayfly::Value(body));
    // In a text of FQL, this would start an interpolation.
    for (std::size_t at = 0; (at = text.find("#{", at)) != text.npos; at += 3)
      text.insert(at, "\\");
    fields += name + ": { body: " + text + " }, ";
    expressions.push_back(std::move(lowered.computed));
  }
  ASSERT_EQ(
      query("Collection.create({ name: 'C', computed_fields: { " + fields + "} }).name").result(),
      "\"C\"");
  int id = 0;
  for (const char* a : values_of_a) {
    for (const char* b : values_of_b) {
      const std::string number = std::to_string(++id);
      ASSERT_EQ(query("C.create({ id: '" + number + "', a: " + a + ", b: " + b + " }).id").result(),
                '"' + number + '"');
    }
  }
  View view = database->view();
  for (int n = 1; n <= id; ++n) {
    const auto key = DocumentKey::of(std::to_string(n));
    const mayfly::Value body = (*view.get(*core("C"), key, view.live()))->body.unpack();
    const ValueScope scope(body);
    for (std::size_t i = 0; i < expressions.size(); ++i) {
      Meter meter;
      const mayfly::Value value = *evaluate(*expressions[i].expression, scope, meter);
      const auto reply = query("C.byId('" + key.id + "')!.c" + std::to_string(i));
      const std::string result = reply.status() == 200 ? reply.data() : "null";
      EXPECT_EQ(as_response(value), result)
          << lowered_bodies[i] << " of " << render_json(body) << ": " << reply.result();
    }
  }
}

}  // namespace
}  // namespace mayfly::fauna
