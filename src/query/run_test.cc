// Queries run on a database in memory.
#include "query/run.h"

#include "query/running/budget.h"
#include "query/testing.h"

namespace mayfly::query {
namespace {

using expr::all_of;
using expr::body;
using expr::call;
using expr::literal;
using expr::metadata;
using mayfly::testing::just_before;
using mayfly::testing::must;
using mayfly::testing::second;
using mayfly::testing::World;

IndexField ascending(std::string_view name) {
  return {Field::body(name), false};
}

// Seven products. The one called "dead" expires at second 1,100 and is never swept.
class RunTest : public ::testing::Test {
 protected:
  RunTest() {
    c_ = w_.collection("products", {},
                       {{"by_price", {ascending("price")}},
                        {"by_kind_price", {ascending("kind"), ascending("price")}}});
    put("a", R"({"kind":"x","price":5,"tags":["red","big"]})");
    put("b", R"({"kind":"y","price":3,"tags":[]})");
    put("c", R"({"kind":"x","price":"3"})");
    put("d", R"({"kind":"x","tags":["red"]})");
    put("e", R"({"kind":"x","price":3.5,"tags":"red"})");
    put("f", R"({"kind":"y","price":null,"tags":["blue","red"]})");
    must(w_.put(c_, "dead", R"({"kind":"x","price":4,"tags":["red"]})", At{second(1'100)}));
    w_.clock.set(second(1'100));
  }

  void put(const std::string& id, const std::string& json) { must(w_.put(c_, id, json)); }
  QueryPtr all() { return scan(w_.now(c_), Lens::live(w_.database->now())); }
  QueryPtr where(ExprPtr condition) { return filter(all(), std::move(condition)); }
  std::string run_all(const QueryPtr& query) {
    View view = w_.database->view();
    return rows_of(query, view);
  }

  World w_;
  CollectionPtr c_;
};

const SortKey by_price{body("price"), false};
ExprPtr value_above(Value value) {
  return expr::greater(body("price"), literal(std::move(value)));
}
ExprPtr kind_is(const char* kind) {
  return expr::equal(body("kind"), literal(kind));
}

TEST_F(RunTest, AScanReturnsLivingDocumentsInTheOrderOfTheirKeys) {
  EXPECT_EQ(run_all(all()), "a b c d e f");
}

TEST_F(RunTest, AFilterKeepsRowsForWhichItIsTrue) {
  EXPECT_EQ(run_all(where(expr::negation(kind_is("y")))), "a c d e");
  EXPECT_EQ(run_all(where(expr::negation(value_above(3)))), "b");
}

TEST_F(RunTest, AnIndexGivesTheSameInItsOwnOrder) {
  EXPECT_EQ(run_all(where(value_above(3))), "e a");
  EXPECT_EQ(run_all(where(all_of({kind_is("x"), value_above(3)}))), "e a");
  EXPECT_EQ(run_all(where(kind_is("x"))), "d e a c");
  EXPECT_EQ(run_all(where(call("is_missing", {body("price")}))), "d");
  EXPECT_EQ(run_all(where(expr::equal(body("price"), literal(3.0)))), "b");
  EXPECT_EQ(run_all(where(expr::equal(body("price"), literal(nullptr)))), "f");
  EXPECT_EQ(run_all(where(all_of({value_above(3), expr::less(body("price"), literal(1))}))), "");
}

TEST_F(RunTest, PointsAreLookedUp) {
  EXPECT_EQ(run_all(where(call("in", {metadata("id"), literal(Array{"d", "zz", "b", "dead"})}))),
            "b d");
  EXPECT_EQ(run_all(where(all_of({expr::equal(metadata("id"), literal("a")), value_above(9)}))),
            "");
  const std::vector<DocumentKey> keys = {DocumentKey::of("e"), DocumentKey::of("dead"),
                                         DocumentKey::of("a"), DocumentKey::of("e")};
  EXPECT_EQ(run_all(make(Lookup{w_.now(c_), Lens::live(w_.database->now()), keys})), "e a e");
}

TEST_F(RunTest, SortingFollowsTheOrderOfAllValues) {
  const QueryPtr unindexed = sort(where(call("exists", {body("kind")})), {{body("tags"), true}});
  EXPECT_EQ(run_all(unindexed), "a d f b e c");
  EXPECT_EQ(run_all(sort(all(), {by_price})), "d f b e a c");
  EXPECT_EQ(run_all(sort(all(), {{body("price"), true}})), "c a e b f d");
  EXPECT_EQ(run_all(sort(all(), {{body("kind"), true}, by_price})), "f b d e a c");
}

TEST_F(RunTest, AnExpirationIsExactOnEveryPath) {
  const Instant death = second(1'100);
  w_.clock.set(just_before(death));  // no read happened at its death yet
  const QueryPtr paths[] = {all(), where(value_above(3)), where(kind_is("x")),
                            sort(all(), {by_price}),
                            where(expr::equal(metadata("id"), literal("dead")))};
  const auto sees_expired = [&](const QueryPtr& query) {
    View view = w_.database->view();
    const QueryPtr now =
        query->as<Scan>() ? all() : with_inputs(query, [&](const QueryPtr&) { return all(); });
    const std::string rows = rows_of(now, view);
    const Count counted = *count(*plan(now, {view.now(), std::nullopt}), view);
    EXPECT_EQ(counted.rows, rows.empty() ? 0 : std::count(rows.begin(), rows.end(), ' ') + 1);
    return rows.find("dead") != std::string::npos;
  };
  for (const QueryPtr& query : paths) EXPECT_TRUE(sees_expired(query));
  w_.clock.set(death);
  for (const QueryPtr& query : paths) EXPECT_FALSE(sees_expired(query));
}

TEST_F(RunTest, ALensOnAnEarlierInstantReadsHistory) {
  const auto kept = w_.collection("kept", {.keep_history_for = Span::seconds(1'000)},
                                  {{"by_n", {ascending("n")}}});
  must(w_.put(kept, "a", R"({"n":1})"));
  must(w_.put(kept, "b", R"({"n":2})"));
  w_.clock.set(second(1'200));
  must(w_.put(kept, "a", R"({"n":3})"));
  must(w_.remove(kept, "b"));
  w_.clock.set(second(1'300));
  View view = w_.database->view();
  const auto at = [&](Instant t) {
    const QueryPtr past = scan(w_.now(kept), *view.as_of(t, *w_.now(kept)));
    return rows_of(filter(past, expr::less(body("n"), literal(3))), view);
  };
  EXPECT_EQ(at(second(1'150)), "a b");
  EXPECT_EQ(at(second(1'250)), "");
}

TEST_F(RunTest, TheTrashLensShowsWhatWasRemoved) {
  const auto kept = w_.collection("kept", {.keep_trash_for = Span::seconds(1'000)});
  must(w_.put(kept, "a", R"({"n":1})"));
  must(w_.put(kept, "b", R"({"n":2})"));
  must(w_.remove(kept, "b"));
  View view = w_.database->view();
  const QueryPtr trash = scan(w_.now(kept), Lens::trash(view.now()));
  EXPECT_EQ(rows_of(trash, view), "a b");
  const ExprPtr is_removed = expr::negation(call("is_null", {metadata("removed_at")}));
  EXPECT_EQ(rows_of(filter(trash, is_removed), view), "b");
  EXPECT_EQ(rows_of(scan(w_.now(kept), view.live()), view), "a");
}

TEST_F(RunTest, RowsAreProjectedUnnestedAndSliced) {
  EXPECT_EQ(run_all(project(all(), body("price"))), R"(a:5 b:3 c:"3" e:3.5 f:null)");
  EXPECT_EQ(run_all(unnest(all(), 1, body("tags"))), R"(a/"red" a/"big" d/"red" f/"blue" f/"red")");
  EXPECT_EQ(run_all(slice(all(), 1, 3)), "b c d");
  EXPECT_EQ(run_all(slice(all(), 4, std::nullopt)), "e f");
  EXPECT_EQ(run_all(slice(all(), 9, 3)), "");
  EXPECT_EQ(run_all(slice(sort(all(), {{body("tags"), false}}), 1, 2)), "e b");
  EXPECT_EQ(run_all(project(slice(all(), 0, 1), call("concat", {metadata("id"), body("kind")}))),
            R"(a:"ax")");
}

TEST_F(RunTest, RowsAreGroupedMadeDistinctAndConcatenated) {
  const QueryPtr by_kind =
      group(all(), {{"kind", body("kind")}},
            {{"n", find_aggregate("count"), metadata("id")},
             {"sum", find_aggregate("sum"),
              call("when", {call("is_number", {body("price")}), body("price")})}});
  EXPECT_EQ(run_all(by_kind),
            R"({"kind": "x", "n": 4, "sum": 8.5} {"kind": "y", "n": 2, "sum": 3})");
  const QueryPtr none =
      group(where(literal(false)), {}, {{"n", find_aggregate("count"), literal(1)}});
  EXPECT_EQ(run_all(none), R"({"n": 0})");
  EXPECT_EQ(run_all(distinct(project(all(), body("kind")))), R"(a:"x" b:"y")");
  EXPECT_EQ(run_all(concat({where(kind_is("y")), values({1, 2}), where(kind_is("y"))})),
            "f b 1 2 f b");
  EXPECT_EQ(run_all(filter(values({1, 2, 3}), expr::greater(expr::slot(0), literal(1)))), "2 3");
}

TEST_F(RunTest, AFullLastPageHasABookmarkBehindItsLastRow) {
  View view = w_.database->view();
  const QueryPtr query = sort(where(kind_is("y")), {by_price});
  RowsPage page = must(answer(query, view, {.rows_max = 2}));
  EXPECT_EQ(page.rows.size(), 2u);
  EXPECT_FALSE(page.next);
  ASSERT_TRUE(page.end);
  RunOptions behind{.rows_max = 2};
  behind.bookmark = page.end;
  EXPECT_TRUE(must(answer(query, view, behind)).rows.empty());
  put("g", R"({"kind":"y","price":9})");
  View later = w_.database->view();
  const QueryPtr again = sort(where(kind_is("y")), {by_price});
  EXPECT_EQ(must(answer(again, later, behind)).rows.size(), 1u);
  EXPECT_FALSE(must(answer(again, later, {.rows_max = 9})).end);
}

TEST_F(RunTest, AConditionThatMustHoldEndsTheRequest) {
  EXPECT_EQ(run_all(where(expr::must(value_above(0), "price is no number"))),
            "invalid: price is no number");
  // Rows behind the last requested one are not evaluated.
  View view = w_.database->view();
  const Result<RowsPage> first =
      answer(where(expr::must(value_above(0), "no")), view, {.rows_max = 1});
  EXPECT_TRUE(first && joined(texts_of(first->rows)) == "a");
}

TEST_F(RunTest, AViewOfATransactionShowsItsOwnWrites) {
  must(w_.database->transact([&](Transaction& t) -> Result<void> {
    TRY(t.put(w_.now(c_), DocumentKey::of("new"), *pack_json(R"({"price":4,"kind":"x"})"), {}));
    TRY(t.remove(w_.now(c_), DocumentKey::of("a"), {}));
    EXPECT_EQ(rows_of(scan(w_.now(c_), t.view().live()), t.view()), "b c d e f new");
    EXPECT_EQ(rows_of(filter(scan(w_.now(c_), t.view().live()), value_above(3)), t.view()),
              "e new");
    return {};
  }));
}

TEST_F(RunTest, CountsReadNoDocumentsWhereAnIndexDecides) {
  View view = w_.database->view();
  const auto counted = [&](const QueryPtr& query) {
    const Count c = *count(*plan(query, {view.now(), std::nullopt}), view);
    return std::to_string(c.rows) + " of " + std::to_string(c.statistics.documents_read) + " by " +
           c.statistics.index;
  };
  EXPECT_EQ(counted(where(value_above(3))), "2 of 0 by by_price");
  EXPECT_EQ(counted(sort(where(value_above(3)), {{body("tags"), false}})), "2 of 0 by by_price");
  EXPECT_EQ(counted(all()), "6 of 0 by ");
  EXPECT_EQ(counted(where(all_of({value_above(3), kind_is("y")}))), "0 of 0 by by_kind_price");
  EXPECT_EQ(counted(slice(all(), 2, 3)), "3 of 6 by ");
  EXPECT_EQ(counted(project(all(), body("price"))), "5 of 6 by ");
}

TEST_F(RunTest, APlanOverAnIndexIsRefusedOnALaterView) {
  View first = w_.database->view();
  const Plan made = *plan(where(value_above(3)), {first.now(), std::nullopt});
  w_.clock.advance(Span::seconds(1));
  View later = w_.database->view();
  EXPECT_EQ(run(made, later, {}).error().code, Code::internal);
  EXPECT_EQ(count(made, later).error().code, Code::internal);
}

TEST_F(RunTest, StatisticsCountWhatWasRead) {
  View view = w_.database->view();
  const RowsPage page = *answer(where(value_above(3)), view, {});
  EXPECT_EQ(page.statistics.index, "by_price");
  EXPECT_EQ(page.statistics.rows_read, 3U);  // with the entry of the expired document
  EXPECT_EQ(page.statistics.documents_read, 2U);
}

TEST_F(RunTest, AScanOfOneRoutingSeesNoOther) {
  const auto put_routed = [&](Bytes routing, std::string id, const char* json) {
    must(w_.database->transact([&](Transaction& t) -> Result<void> {
      TRY(t.put(w_.now(c_), DocumentKey{std::move(routing), std::move(id)}, *pack_json(json), {}));
      return {};
    }));
  };
  put_routed("r", "a", R"({"price":10,"kind":"z"})");
  put_routed("r", "b", R"({"price":20,"kind":"z"})");
  put_routed("rr", "a", R"({"price":30,"kind":"z"})");
  View view = w_.database->view();
  const auto in = [&](std::optional<Bytes> routing) {
    return scan(w_.now(c_), view.live(), routing);
  };
  EXPECT_EQ(rows_of(in("r"), view), "a b");
  EXPECT_EQ(rows_of(filter(in("r"), value_above(3)), view), "a b");
  EXPECT_EQ(rows_of(filter(in("rr"), value_above(3)), view), "a");
  EXPECT_EQ(rows_of(filter(in(std::nullopt), value_above(8)), view), "a b a");
  EXPECT_EQ(rows_of(filter(in("r"), expr::equal(metadata("id"), literal("a"))), view), "a");
  EXPECT_EQ(rows_of(filter(in(std::nullopt), expr::equal(metadata("id"), literal("a"))), view),
            "a a a");
  EXPECT_EQ(rows_of(sort(in("r"), {{metadata("id"), true}}), view), "b a");
}

TEST_F(RunTest, SortsAndPagesKeepTheirBounds) {
  const QueryPtr many = values(Array(limits::sort_rows_max + 1, Value(1)));
  const QueryPtr sorted = sort(many, {{expr::slot(0), false}});
  View view = w_.database->view();
  EXPECT_TRUE(rows_of(sorted, view, 300'000)
                  .starts_with("too_large: A sort holds more than query_bytes_max"));
  Meter meter;
  Budget budget{meter};
  for (std::size_t i = 0; i < limits::sort_rows_max; ++i) EXPECT_TRUE(budget.hold(1, "sort"));
  EXPECT_TRUE(
      budget.hold(1, "sort").error().message.starts_with("A sort holds more than sort_rows_max"));
  EXPECT_EQ(rows_of(slice(sorted, 0, 2), view), "1 1");
  const QueryPtr wide = project(many, call("repeat", {literal("x"), literal(100'000)}));
  EXPECT_TRUE(rows_of(sort(wide, {{expr::slot(0), false}}), view)
                  .starts_with("too_large: A sort holds more than query_bytes_max"));
  const Result<RowsPage> page = answer(wide, view, {.rows_max = 100'000});
  EXPECT_LT(page->rows.size(), 200U);
  EXPECT_TRUE(page->next);
}

// Rows that were sorted or filtered outlive the page that they were read from.
TEST(DetachedDocumentTest, KeepsAllParts) {
  const std::string shown = "abcdefg";
  std::string rows = shown;
  const BytesView from(rows);
  Document document;
  document.key = from.substr(0, 2);
  document.id = from.substr(1, 1);
  document.author = from.substr(2, 1);
  document.updater = from.substr(3, 1);
  document.facet = from.substr(4, 1);
  document.hold = from.substr(5, 1);
  document.body = Packed(from.substr(6, 1));
  const Document copy = detached(document);
  rows.assign(rows.size(), '-');
  const std::string kept = Bytes(copy.key) + Bytes(copy.author) + Bytes(copy.updater) +
                           Bytes(copy.facet) + Bytes(copy.hold) + Bytes(copy.body.bytes());
  EXPECT_EQ(kept, shown);
  EXPECT_EQ(copy.id, "b");
}

Instant late() {
  return Instant{10};
}

TEST_F(RunTest, ADeadlineEndsTheRun) {
  const QueryPtr many = values(Array(5'000, Value(1)));
  View view = w_.database->view();
  const RunOptions options{1'000, std::nullopt, Meter(late, Instant{5})};
  EXPECT_EQ(answer(sort(many, {{expr::slot(0), false}}), view, options).error().code,
            Code::timed_out);
}

}  // namespace
}  // namespace mayfly::query
