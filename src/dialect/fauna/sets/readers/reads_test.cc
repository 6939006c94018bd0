// The number of rows read: N results of an index cost O(N) rows, however many other documents there
// are.
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "dialect/fauna/testing.h"
#include "store/memory/memory_store.h"
#include "store/wrappers/counting.h"

namespace mayfly::fauna::testing {
namespace {

constexpr int others = 10'000;  // other documents, both live and expired
constexpr int shelved = 20;     // documents that match

// The number of rows that a query may read.
struct Budget {
  const char* query;
  int results;        // number of results
  int rows_each = 2;  // an entry and its document
  int beside = 6;     // the version of the schema, one row more of a range, …
};

class ReadsTest : public FaunaTest {
 protected:
  ReadsTest() : ReadsTest(new store::CountingStore(store::open_memory())) {}

  // Reads of documents and of rows in ranges.
  std::uint64_t reads_of(const std::string& query_text, std::string* result = nullptr) {
    counted_->reset();
    const Reply reply = query(query_text);
    EXPECT_EQ(reply.status(), 200) << query_text << "\n" << reply.response.body.substr(0, 500);
    if (result != nullptr) *result = reply.text("data");
    return reads();
  }
  std::uint64_t reads_of_failed(const std::string& query_text) {
    counted_->reset();
    EXPECT_EQ(query(query_text).status(), 400);
    return reads();
  }

  // Run twice, so that the definitions are cached.
  void check(const Budget& budget, const std::string& text) {
    reads_of(text);
    const auto most = static_cast<std::uint64_t>(budget.results * budget.rows_each + budget.beside);
    EXPECT_LE(reads_of(text), most) << text;
  }

  void fill() {
    query(R"(Collection.create({ name: "Shelf", document_ttls: true, history_days: 1, indexes: {
      byKind: { terms: [{ field: ".kind" }] },
      byKindAndPrice: { terms: [{ field: ".kind" }], values: [{ field: ".price" }] },
      byPrice: { values: [{ field: ".price" }] },
      byPriceDown: { values: [{ field: ".price", order: "desc" }] },
      byPriceAndName: { values: [{ field: ".price" }, { field: ".name" }] },
      byTag: { terms: [{ field: ".tags", mva: true }] },
      byTime: { values: [{ field: ".ts", order: "desc" }] } },
      constraints: [{ unique: [".name"] }] }))");
    // Expired documents have prices among those of the others and among those of the matching ones.
    put(others, R"({ kind: "other", name: "o#{i}", price: i, tags: ["o"] })");
    put(others, R"({ kind: "dead", name: "d#{i}", price: 5000, tags: ["d"],
                     ttl: Time.now().add(1, "second") })");
    put(shelved, R"({ kind: "shelf", name: "s#{i}", price: 20000 + i, tags: ["s", "t"] })");
    advance_clock(2);
  }

 private:
  std::uint64_t reads() const {
    const store::Counts counts = counted_->counts();
    return counts.rows + counts.gets;
  }

  explicit ReadsTest(store::CountingStore* store)
      : FaunaTest(std::unique_ptr<store::Store>(store)), counted_(store) {}

  void put(int count, const std::string& document) {
    constexpr int at_once = 2'000;
    for (int from = 0; from < count; from += at_once) {
      const int until = std::min(count, from + at_once);
      const Reply reply = query(fmt::format("Set.sequence({}, {}).forEach(i => Shelf.create({}))",
                                            from, until, document));
      ASSERT_EQ(reply.status(), 200) << reply.response.body.substr(0, 500);
    }
  }

  store::CountingStore* const counted_;
};

constexpr Budget budgets[] = {
    // --- an index ---
    {R"(Shelf.byKind("shelf").toArray().length)", shelved},
    {R"(Shelf.byKind("shelf").map(.name).toArray())", shelved},
    {R"(Shelf.byKind("shelf") { name })", 16},
    {R"(Shelf.byKind("shelf").forEach(x => x.name))", shelved},
    {R"(Shelf.byKind("nothing").toArray())", 0},
    {R"(Shelf.byKindAndPrice("shelf", { from: 20003, to: 20007 }).toArray())", 5},
    {R"(Shelf.byKindAndPrice("other", { to: 5 }).toArray())", 6},
    {R"(Shelf.byPrice({ from: 20010, to: 30000 }).toArray())", 10},
    {R"(Shelf.byPrice({ from: 20010 }).toArray())", 10},
    {R"(Shelf.byPrice({ from: 20010 }).reverse().take(3).toArray())", 3},
    {R"(Shelf.byPriceDown({ to: 20012 }).toArray())", 8},
    {R"(Shelf.byPriceDown({ to: 20012 }).reverse().take(3).toArray())", 3},
    {R"(Shelf.byKindAndPrice("shelf", { from: 20003 }).toArray())", 17},
    {R"(Shelf.byPriceAndName({ from: [20003, "s"], to: [20007, "t"] }).toArray())", 5},
    {R"(Shelf.byPriceAndName({ from: [20003, "s4"] }).toArray())", 16},
    {R"(Shelf.byPriceAndName({ from: [2], to: [3, "o3"] }).toArray())", 2},
    {R"(Shelf.byKind("shelf").where(x => x.name.length > 2).toArray().length)", shelved},
    {R"(Shelf.byPriceDown({ from: 20004, to: 20001 }).toArray())", 4},
    {R"(Shelf.byTag("t").toArray().length)", shelved},
    {R"(Shelf.byTag("o").take(3).toArray())", 3},
    // --- first elements ---
    {R"(Shelf.byKind("other").first())", 1},
    {R"(Shelf.byKind("other").last())", 1},
    {R"(Shelf.byKind("other").take(5).toArray())", 5},
    {R"(Shelf.byKind("other").isEmpty())", 1},
    {R"(Shelf.byKind("other").nonEmpty())", 1},
    {R"(Shelf.byPrice().reverse().take(3).toArray())", 3},
    {R"(Shelf.byPriceDown().first())", 1},
    {R"(Shelf.all().first())", 1},
    {R"(Shelf.byKind("other").pageSize(5))", 5},
    // --- orders of an index ---
    {R"(Shelf.all().order(.price).take(4).toArray())", 4},
    {R"(Shelf.all().order(desc(.price)).take(4).toArray())", 4},
    {R"(Shelf.byKind("other").order(.price).take(4).toArray())", 4},
    {R"(Shelf.byKindAndPrice("other").order(.price).take(4).toArray())", 4},
    {R"(Shelf.all().order(desc(.ts)).take(4).toArray())", 4},
    {R"(Shelf.byTime().take(4).toArray())", 4},
    // --- conditions served by an index ---
    {R"(Shelf.all().where(.kind == "shelf").toArray().length)", shelved},
    {R"(Shelf.where(x => x.kind == "other").take(4).toArray())", 4},
    {R"(Shelf.all().firstWhere(.kind == "shelf"))", 1},
    {R"(Shelf.byKind("other").where(.price == 77).toArray())", 1},
    {R"(Shelf.all().firstWhere(.name == "o77"))", 1},
    {R"(Shelf.all().where(.price >= 20010).toArray())", 10, 3},
    {R"(Shelf.all().where(.price >= 20010 && .price < 20015).pageSize(3))", 5, 3},
    // --- counting reads entries alone ---
    {R"(Shelf.byKind("shelf").count())", shelved, 1},
    {R"(Shelf.byKindAndPrice("other", { from: 100, to: 199 }).count())", 100, 1},
    {R"(Shelf.all().where(.kind == "shelf").count())", shelved, 1},
    // --- single documents ---
    {R"(Shelf.byId("4711"))", 1, 1},
    {R"(Shelf.byId("4711").exists())", 1, 1},
    {R"(Shelf.byId("4711") == null)", 1, 1},
    {R"(Collection.byName("Shelf").exists())", 1, 1},
};

TEST_F(ReadsTest, ReadsInProportionToItsResults) {
  fill();
  for (const Budget& budget : budgets) check(budget, budget.query);
}

// As of an earlier instant, an entry may belong to a later version; then the earlier version is
// read as well.
TEST_F(ReadsTest, ReadsInProportionToItsResultsInThePast) {
  fill();
  const std::string then = query("Time.now()").text("data");
  advance_clock(60);
  for (Budget budget : budgets) {
    if (std::string_view(budget.query).find("Collection.") == 0) continue;
    budget.rows_each *= 2;
    budget.beside *= 2;
    check(budget, fmt::format(R"(at (Time("{}")) {{ {} }})", then, budget.query));
  }
}

// A commit reads again the ranges that its transaction has read.
TEST_F(ReadsTest, ReadsInProportionToItsResultsAfterOwnWrites) {
  fill();
  int n = 0;
  for (Budget budget : budgets) {
    budget.rows_each *= 2;
    budget.beside = budget.beside * 2 + 24;  // the write with its eight entries
    const auto text = [&] {
      return fmt::format(R"(Shelf.create({{ kind: "own", name: "own{}", price: 1 }})
                            {})",
                         ++n, budget.query);
    };
    reads_of(text());
    const auto most = static_cast<std::uint64_t>(budget.results * budget.rows_each + budget.beside);
    EXPECT_LE(reads_of(text()), most) << budget.query;
  }
}

// Documents of a snapshot are shown as they are now, so that each is read twice.
TEST_F(ReadsTest, ReadsOneForEachPageNotThoseBeforeIt) {
  fill();
  for (const char* set :
       {R"(Shelf.byKind("other"))", R"(Shelf.all())", R"(Shelf.byPriceDown())",
        R"(Shelf.all().where(.kind == "other"))", R"(Shelf.byKind("other").map(.name))",
        R"(Shelf.all().order(desc(.price)))", R"(Shelf.byPrice({ from: 100 }))",
        R"(Shelf.byKind("other").where(x => x.name.length > 2))"}) {
    std::string cursor;
    EXPECT_LE(reads_of(fmt::format("{}.pageSize(10).paginate().after", set), &cursor), 2 * 70 + 10)
        << set;
    for (int page = 2; page < 30; ++page) {
      const std::string text = fmt::format(R"(Set.paginate("{}"))", cursor);
      const std::uint64_t reads = reads_of(text + ".after", &cursor);
      ASSERT_LE(reads, 4 * 64 + 10) << set << " page " << page;
      ASSERT_FALSE(cursor.empty());
    }
  }
}

// Names are resolved by the schema, which is read once per version.
TEST_F(ReadsTest, ReadsNoDefinitionsTwice) {
  for (int i = 0; i < 100; ++i) {
    query(fmt::format(R"(Collection.create({{ name: "C{}", alias: "A{}",
                         computed_fields: {{ c: {{ body: "x => x.id" }} }} }}))",
                      i, i));
  }
  query(R"(Function.create({ name: "twice", body: "x => x + x" }))");
  query(R"(C7.create({ id: 1 }))");
  for (const auto& [text, most] : std::vector<std::pair<std::string, std::uint64_t>>{
           {R"(C7.byId("1"))", 2}, {R"(A7.byId("1"))", 2}, {"twice(2)", 1}, {"1 + 1", 1}}) {
    reads_of(text);
    EXPECT_LE(reads_of(text), most) << text;
  }
}

TEST_F(ReadsTest, FindsSecretsAndTokensByTheirKeys) {
  query(R"(Database.create({ name: "child" }))");
  const std::string root = secret;
  secret = "secret:child:admin";
  query(R"(Collection.create({ name: "User" }))");
  for (int i = 0; i < 200; ++i) {
    query(fmt::format(R"({{ User.create({{ id: {} }});
                            Token.create({{ document: User.byId("{}") }});
                            Key.create({{ role: "server" }}) }})",
                      1'000 + i, 1'000 + i));
  }
  reads_of("1");
  EXPECT_LE(reads_of(R"(Token.byDocument(User.byId("1150")!))"), 7U);
  secret = query(R"(Key.create({ role: "server" }).secret)").text("data");
  ASSERT_FALSE(secret.empty());
  EXPECT_LE(reads_of("1"), 3U);
  secret = root;
}

// Definitions are read once for all missing names.
TEST_F(ReadsTest, UnknownNamesCauseNoOtherReads) {
  constexpr int names = 1'500;
  constexpr int definitions = 100;
  query(
      fmt::format("Set.sequence(0, {}).forEach(n => Collection.create({{ name: \"D\" + "
                  "n.toString(), alias: \"A\" + n.toString() }}))",
                  definitions));
  std::string text = "[A1.all().count()";
  for (int i = 0; i < names; ++i) text += fmt::format(", nope{}", i);
  EXPECT_LE(reads_of_failed(text + "]"), 10U * names);
}

}  // namespace
}  // namespace mayfly::fauna::testing
