// Indexes of truncated values return the rows of a scan. Random documents of all kinds, also long
// ones, lie in several partitions. Random indexes are created and dropped, documents expire at
// random, and the sweeper runs at random times.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "query/testing.h"

namespace mayfly::query {
namespace {

using expr::body;
using expr::call;
using expr::literal;
using mayfly::testing::must;
using mayfly::testing::second;
using mayfly::testing::World;

template <class T>
T pick_cut(const std::vector<T>& from) {
  return from[*rc::gen::inRange<std::size_t>(0, from.size())];
}

// Lengths around those at which an index of one to four fields truncates, and longer than any index
// holds whole. Each case has only a few such texts, so that documents and conditions often share
// one.
std::vector<std::string> long_texts;

std::string new_long_text() {
  const std::size_t cut = pick_cut<std::size_t>({128, 170, 256, 512});
  const std::size_t length =
      *rc::gen::inRange(0, 8) == 0 ? 1'500 : cut - *rc::gen::inRange<std::size_t>(1, 8);
  return std::string(length, 'a') + pick_cut<std::string>({"", "", "a", "b", std::string(1, '\0'),
                                                           std::string(2, '\0'), "\x01"});
}

std::string long_text() {
  return pick_cut(long_texts);
}

Value cut_scalar() {
  static const std::vector<Value> values = {nullptr, true, false, 0,    1,   2,   2.5,    -3,
                                            1e300,   "",   "a",   "ab", "b", "é", Date{4}};
  switch (*rc::gen::inRange(0, 9)) {
    case 0:
    case 3:
    case 4: return long_text();
    case 1: return Binary{long_text()};
    case 2: return pick_cut<Value>({Reference{long_text(), "a"}, Reference{"a", long_text()}});
    default: return pick_cut(values);
  }
}

Value any_cut_value() {
  switch (*rc::gen::inRange(0, 10)) {
    case 0: return Array{cut_scalar(), cut_scalar()};
    case 1: return Object{{"x", cut_scalar()}};
    case 2: return pick_cut<Value>({Array(), Object()});
    case 3: return Value();
    default: return cut_scalar();
  }
}

const std::vector<std::string> cut_names = {"a", "b", "c"};

Field field() {
  if (*rc::gen::inRange(0, 5) > 0) return Field::body(pick_cut(cut_names));
  return {Part::body, *Path::parse(pick_cut<std::string>({"a.x", "b.x"}))};
}

ExprPtr cut_condition() {
  static const std::vector<std::string> comparisons = {
      "equal", "not_equal", "less", "less_or_equal", "greater", "greater_or_equal"};
  const ExprPtr operand = expr::field(field());
  switch (*rc::gen::inRange(0, 10)) {
    case 0:
      return call("in", {operand, literal(Array{cut_scalar(), cut_scalar(), any_cut_value()})});
    case 1: return call("between", {operand, literal(cut_scalar()), literal(cut_scalar())});
    case 2: return call("starts_with", {operand, literal(pick_cut<std::string>({"", "a", "b"}))});
    case 3: return call("starts_with", {operand, literal(long_text())});
    case 4: return call(*rc::gen::arbitrary<bool>() ? "is_missing" : "exists", {operand});
    case 5: return expr::negation(call(pick_cut(comparisons), {operand, literal(cut_scalar())}));
    case 6: return call("equal", {operand, literal(any_cut_value())});
    default: return call(pick_cut(comparisons), {operand, literal(cut_scalar())});
  }
}

QueryPtr sorted(QueryPtr query) {
  std::vector<SortKey> keys;
  const bool goes_down = *rc::gen::arbitrary<bool>();
  for (int n = *rc::gen::inRange(0, 3); n > 0; --n) {
    keys.push_back({expr::field(field()), *rc::gen::inRange(0, 3) == 0 ? !goes_down : goes_down});
  }
  if (*rc::gen::inRange(0, 4) > 0) keys.push_back({expr::metadata("created_at"), goes_down});
  if (keys.empty()) return query;
  const Ties ties = goes_down ? Ties::descending : Ties::ascending;
  const int other = *rc::gen::inRange(0, 8);
  return sort(std::move(query), keys, other == 0 ? Ties::ascending : other == 1 ? Ties::any : ties);
}

class CutDocuments {
 public:
  CutDocuments() {
    long_texts.clear();
    for (int i = 0; i < 5; ++i) long_texts.push_back(new_long_text());
    c_ = w_.collection("c", {.keep_feed_for = Span::seconds(pick_cut<int>({0, 100}))},
                       {{"by creation", {{Field::metadata("created_at")}}}});
    for (int n = *rc::gen::inRange(0, 3); n > 0; --n) make_index();
    for (int n = *rc::gen::inRange(1, 40); n > 0; --n) put();
  }

  // A random change between two queries.
  void step() {
    switch (*rc::gen::inRange(0, 9)) {
      case 0: make_index(); break;
      case 1: drop_index(); break;
      case 2: w_.sweep(); break;
      case 3: w_.compact(); break;
      case 4: w_.clock.advance(Span::seconds(*rc::gen::inRange(0, 20))); break;
      case 5: {
        const auto lifetime = pick_cut<Default>({Unset{}, Never{}, After{Span::seconds(15)}});
        w_.change(c_, {.default_lifetime = lifetime});
        break;
      }
      case 6: remove(); break;
      default: put(); break;
    }
  }

  QueryPtr query() {
    const auto routing = pick_cut<std::optional<Bytes>>({std::nullopt, std::nullopt, Bytes("p")});
    QueryPtr made = scan(w_.now(c_), Lens::live(w_.database->now()), routing);
    ExprList conditions;
    for (int n = *rc::gen::inRange(0, 4); n > 0; --n) {
      const bool is_choice = *rc::gen::inRange(0, 3) == 0;
      conditions.push_back(is_choice ? expr::any_of({cut_condition(), cut_condition()})
                                     : cut_condition());
    }
    if (!conditions.empty()) made = filter(made, expr::all_of(conditions));
    return sorted(std::move(made));
  }

  // The same query on the current definition of the collection.
  QueryPtr again(const QueryPtr& query) {
    if (const auto* scan = query->as<Scan>()) {
      Scan newer = *scan;
      newer.collection = w_.now(c_);
      return make(std::move(newer));
    }
    return with_inputs(query, [this](const QueryPtr& input) { return again(input); });
  }

  // A random change that must not affect results.
  void change_indexes() {
    switch (*rc::gen::inRange(0, 4)) {
      case 0: make_index(); break;
      case 1: drop_index(); break;
      case 2: w_.compact(); break;
      default: break;
    }
  }

  std::vector<IndexId> indexes() {
    std::vector<IndexId> ids;
    for (const Index& index : w_.now(c_)->indexes) ids.push_back(index.id);
    return ids;
  }
  View view() { return w_.database->view(); }

 private:
  static DocumentKey key() {
    return {pick_cut<Bytes>({"p", "q", std::string(250, '\0')}),
            "d" + std::to_string(*rc::gen::inRange(0, 40))};
  }

  void put() {
    Object object;
    for (const std::string& name : cut_names) {
      Value value = any_cut_value();
      if (!value.is_missing()) object.set(name, std::move(value));
    }
    const Instant soon = w_.clock.now() + Span::seconds(*rc::gen::inRange(0, 30));
    const auto lifetime = pick_cut<Lifetime>(
        {Never{}, Never{}, Inherit{}, After{Span::seconds(*rc::gen::inRange(1, 30))}, At{soon}});
    must(w_.database->transact([&](Transaction& t) -> Result<void> {
      TRY(t.put(w_.now(c_), key(), TRY(pack(Value(object))), {.lifetime = lifetime}));
      return {};
    }));
  }

  void remove() {
    const DocumentKey removed = key();
    (void)w_.database->transact(
        [&](Transaction& t) -> Result<void> { return t.remove(w_.now(c_), removed, {}); });
  }

  void make_index() {
    IndexSpec spec{.name = "i" + std::to_string(++made_), .entries = Entries::cut};
    for (int n = *rc::gen::inRange(1, 4); n > 0; --n) {
      spec.fields.push_back({field(), *rc::gen::inRange(0, 3) == 0});
    }
    if (*rc::gen::inRange(0, 4) > 0) {
      spec.fields.push_back({Field::metadata("created_at"), *rc::gen::inRange(0, 6) == 0});
    }
    must(w_.database->create_index(c_->id, spec));
  }

  void drop_index() {
    const CollectionPtr now = w_.now(c_);
    if (now->indexes.size() > 1) must(w_.database->drop_index(c_->id, now->indexes.back().name));
  }

  World w_;
  CollectionPtr c_;
  int made_ = 0;
};

struct PlanRows {
  std::string plan;
  std::vector<std::string> rows;
};

// Whether the query determines the order of all rows.
bool has_order(const Query& query) {
  const auto* sort = query.as<Sort>();
  return sort != nullptr && sort->ties != Ties::any;
}

PlanRows run_both_ways(const Plan& plan, View& view) {
  const Result<RowsPage> page = run(plan, view, {.rows_max = 1'000});
  RC_ASSERT(page.has_value());
  const auto counted = count(plan, view);
  RC_ASSERT(counted.has_value());
  RC_ASSERT(counted->rows == page->rows.size());
  PlanRows result{render(*plan.root), texts_of(page->rows)};
  if (!has_order(*plan.query)) std::sort(result.rows.begin(), result.rows.end());
  return result;
}

void check_same(const PlanRows& expected, const PlanRows& actual) {
  if (expected.rows == actual.rows) return;
  RC_FAIL(expected.plan + joined(expected.rows) + "\n" + actual.plan + joined(actual.rows));
}

// Reads page by page, while indexes are created and dropped.
std::vector<std::string> pages_between_indexes(CutDocuments& cut, const QueryPtr& query,
                                               std::size_t rows_max) {
  std::vector<std::string> texts;
  std::optional<Bookmark> bookmark;
  do {
    View view = cut.view();
    const auto page = answer(cut.again(query), view, {rows_max, bookmark, {}});
    RC_ASSERT(page.has_value());
    for (const QueryRow& row : page->rows) texts.push_back(text_of(row));
    bookmark = travelled(page->next);
    cut.change_indexes();
  } while (bookmark && texts.size() < 1'000);
  return texts;
}

RC_GTEST_PROP(CutPathsPropertyTest, RowsAreThoseOfAScan, ()) {
  CutDocuments cut;
  for (int i = 0; i < 40; ++i) {
    cut.step();
    View view = cut.view();
    const QueryPtr query = cut.query();
    const PlanRows scanned =
        run_both_ways(must(plan(query, {view.now(), PlanChoice{0, Ties::any}})), view);
    check_same(scanned, run_both_ways(must(plan_on(query, view)), view));
    check_same(scanned, run_both_ways(must(plan(query, {view.now(), {}, Guesses::none})), view));
    for (const IndexId only : cut.indexes()) {
      const Planning planning{view.now(), PlanChoice{only, Ties::any}, Guesses::all};
      check_same(scanned, run_both_ways(must(plan(query, planning)), view));
    }
    std::string paged = pages_of(query, view, *rc::gen::inRange<std::size_t>(1, 9));
    if (has_order(*query) && paged != joined(scanned.rows)) {
      RC_FAIL(scanned.plan + joined(scanned.rows) + "\npaged: " + paged);
    }
  }
}

RC_GTEST_PROP(CutPathsPropertyTest, ASortContinuesWhileIndexesAreCreatedAndDropped, ()) {
  CutDocuments cut;
  for (int i = 0; i < 20; ++i) {
    cut.step();
    const QueryPtr query = cut.query();
    View view = cut.view();
    const Plan first = must(plan_on(query, view));
    if (first.ties == Ties::any) continue;
    const PlanRows scanned =
        run_both_ways(must(plan(query, {view.now(), PlanChoice{0, Ties::any}})), view);
    const auto rows_max = *rc::gen::inRange<std::size_t>(1, 5);
    auto paged = pages_between_indexes(cut, query, rows_max);
    if (!has_order(*query)) std::sort(paged.begin(), paged.end());
    if (paged != scanned.rows) {
      RC_FAIL(scanned.plan + joined(scanned.rows) + "\npaged: " + joined(paged));
    }
  }
}

// Distinct values of the first sort key, compared with those of a query without a sort.
RC_GTEST_PROP(CutPathsPropertyTest, EachValueIsReturnedOnceAndInOrder, ()) {
  CutDocuments cut;
  for (int i = 0; i < 20; ++i) {
    cut.step();
    const QueryPtr query = cut.query();
    const auto* sort = query->as<Sort>();
    if (sort == nullptr) continue;
    const ExprPtr key = sort->keys.front().value;
    const bool is_object = *rc::gen::arbitrary<bool>();
    const ExprPtr value = is_object ? call("object", {literal("x"), key}) : key;
    View view = cut.view();
    const QueryPtr plain = distinct(project(sort->input, value));
    const PlanRows expected =
        run_both_ways(must(plan(plain, {view.now(), PlanChoice{0, Ties::any}})), view);
    const QueryPtr each = distinct(project(query, value));
    std::vector<std::string> paged =
        pages_between_indexes(cut, each, *rc::gen::inRange<std::size_t>(1, 5));
    std::vector<std::string> values;
    for (const std::string& row : paged) values.push_back(row.substr(row.find(':') + 1));
    std::vector<std::string> all;
    for (const std::string& row : expected.rows) all.push_back(row.substr(row.find(':') + 1));
    std::sort(values.begin(), values.end());
    std::sort(all.begin(), all.end());
    if (values != all) RC_FAIL(joined(all) + "\npaged: " + joined(values));
  }
}

}  // namespace
}  // namespace mayfly::query
