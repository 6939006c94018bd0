// Indexes of items, and indexes that sort null last, return the rows of a scan: random documents,
// some expired or replaced, now and in the past.
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
T pick_one(const std::vector<T>& from) {
  return from[*rc::gen::inRange<std::size_t>(0, from.size())];
}

Value item() {
  static const std::vector<Value> values = {nullptr, true, 0, 1, 1.0, 2, 2.5, -3, "", "a", "ab"};
  return *rc::gen::inRange(0, 12) == 0 ? Value(Array{pick_one(values)}) : pick_one(values);
}

Value items_or_one() {
  switch (*rc::gen::inRange(0, 8)) {
    case 0: return Value();
    case 1: return Object{{"x", item()}};
    case 2: return item();
    default: {
      Array items;
      for (int n = *rc::gen::inRange(0, 4); n > 0; --n) items.push_back(item());
      return items;
    }
  }
}

const std::vector<std::string> item_names = {"a", "b", "c"};

ExprPtr comparison_of(const ExprPtr& operand) {
  static const std::vector<std::string> comparisons = {
      "equal", "equal", "equal", "less", "greater", "less_or_equal", "not_equal"};
  switch (*rc::gen::inRange(0, 8)) {
    case 0: return call("in", {operand, literal(Array{item(), item(), item()})});
    case 1: return call("between", {operand, literal(item()), literal(item())});
    case 2: return call("is_missing", {operand});
    default: return call(pick_one(comparisons), {operand, literal(item())});
  }
}

ExprPtr item_condition() {
  const ExprPtr field = body(pick_one(item_names));
  const auto any = [&](const ExprPtr& operand) {
    return expr::each(expr::Each::Mode::any, 1, field, operand);
  };
  const Value value = item();
  switch (*rc::gen::inRange(0, 6)) {
    case 0: return any(comparison_of(expr::slot(1)));
    case 1: return any(expr::equal(expr::slot(1), literal(value)));
    case 2:
      return expr::any_of(
          {any(expr::equal(expr::slot(1), literal(value))), expr::equal(field, literal(value))});
    case 3: return call("array_contains", {field, literal(value)});
    case 4: return comparison_of(expr::if_missing(field, literal(nullptr)));
    default: return comparison_of(field);
  }
}

std::vector<SortKey> item_sort_keys() {
  std::vector<SortKey> keys;
  const bool is_greatest = *rc::gen::arbitrary<bool>();
  for (int n = *rc::gen::inRange(0, 4); n > 0; --n) {
    const ExprPtr value =
        *rc::gen::inRange(0, 6) == 0 ? expr::metadata("id_number") : body(pick_one(item_names));
    const bool differs = *rc::gen::inRange(0, 5) == 0;
    keys.push_back({value, *rc::gen::arbitrary<bool>(), is_greatest != differs});
  }
  return keys;
}

class ItemDocuments {
 public:
  ItemDocuments() {
    std::vector<IndexSpec> specs;
    for (int n = *rc::gen::inRange(1, 6); n > 0; --n) specs.push_back(spec(n));
    c_ = w_.collection("c", {.keep_history_for = Span::infinite()}, specs);
    const int count = *rc::gen::inRange(0, 30);
    for (int i = 0; i < count; ++i) put(i);
    const Instant then = w_.database->now();
    w_.clock.set(second(1'400));
    for (int i = 0; i < count; i += 2) put(i);
    for (int i = 3; i < count; i += 7) (void)w_.remove(c_, id(i));
    w_.clock.set(second(1'500));
    for (int i = 0; i < count; i += 5) put(i);
    instants_ = {then, second(1'450)};
  }

  QueryPtr query(View& view) {
    Lens lens = view.live();
    if (*rc::gen::inRange(0, 3) == 0) lens = must(view.as_of(pick_one(instants_), *w_.now(c_)));
    const auto routing = pick_one<std::optional<Bytes>>({std::nullopt, Bytes(), Bytes()});
    QueryPtr made = scan(w_.now(c_), lens, routing);
    ExprList conditions;
    for (int n = *rc::gen::inRange(0, 4); n > 0; --n) {
      const bool is_choice = *rc::gen::inRange(0, 3) == 0;
      conditions.push_back(is_choice ? expr::any_of({item_condition(), item_condition()})
                                     : item_condition());
    }
    if (!conditions.empty()) made = filter(made, expr::all_of(conditions));
    const std::vector<SortKey> keys = item_sort_keys();
    const Ties ties = *rc::gen::element(Ties::ascending, Ties::descending);
    return keys.empty() ? made : sort(made, keys, ties);
  }

  std::vector<IndexId> indexes() {
    std::vector<IndexId> ids;
    for (const Index& index : w_.now(c_)->indexes) ids.push_back(index.id);
    return ids;
  }
  World& world() { return w_; }

 private:
  static std::string id(int i) { return std::to_string(i); }

  static IndexSpec spec(int n) {
    IndexSpec spec{.name = "i" + std::to_string(n)};
    if (*rc::gen::inRange(0, 4) == 0) spec.entries = Entries::cut;
    std::vector<std::string> left = item_names;
    for (int fields = *rc::gen::inRange(1, 4); fields > 0; --fields) {
      const std::string name = pick_one(left);
      std::erase(left, name);
      spec.fields.push_back({Field::body(name), *rc::gen::arbitrary<bool>(),
                             *rc::gen::arbitrary<bool>(), *rc::gen::inRange(0, 3) == 0});
    }
    if (*rc::gen::inRange(0, 3) == 0) spec.fields.push_back({Field::metadata("id_number")});
    return spec;
  }

  void put(int i) {
    Object object;
    for (const std::string& name : item_names) {
      Value value = items_or_one();
      if (!value.is_missing()) object.set(name, std::move(value));
    }
    Lifetime lifetime = Never{};
    if (*rc::gen::inRange(0, 3) == 0) lifetime = At{second(*rc::gen::inRange(1'400, 1'600))};
    must(w_.database->transact([&](Transaction& t) -> Result<void> {
      TRY(t.put(w_.now(c_), DocumentKey::of(id(i)), TRY(pack(Value(object))),
                {.lifetime = lifetime}));
      return {};
    }));
  }

  World w_;
  CollectionPtr c_;
  std::vector<Instant> instants_;
};

std::vector<std::string> rows_by(const Plan& plan, View& view) {
  const Result<RowsPage> page = run(plan, view, {.rows_max = 1'000});
  RC_ASSERT(page.has_value());
  const auto counted = count(plan, view);
  RC_ASSERT(counted.has_value() && counted->rows == page->rows.size());
  std::vector<std::string> rows = texts_of(page->rows);
  if (!plan.query->as<Sort>()) std::sort(rows.begin(), rows.end());
  return rows;
}

RC_GTEST_PROP(ItemPathsPropertyTest, RowsAreThoseOfAScan, ()) {
  ItemDocuments documents;
  View view = documents.world().database->view();
  for (int i = 0; i < 40; ++i) {
    const QueryPtr query = documents.query(view);
    const Plan scanned = must(plan(query, {view.now(), PlanChoice{0, Ties::any}}));
    const std::vector<std::string> expected = rows_by(scanned, view);
    std::vector<Plan> plans = {must(plan_on(query, view))};
    for (const IndexId only : documents.indexes()) {
      plans.push_back(must(plan(query, {view.now(), PlanChoice{only, Ties::any}, Guesses::all})));
    }
    for (const Plan& other : plans) {
      const std::vector<std::string> actual = rows_by(other, view);
      if (actual != expected) {
        RC_FAIL(render(*scanned.root) + joined(expected) + "\n" + render(*other.root) +
                joined(actual));
      }
    }
    const std::string paged = pages_of(query, view, *rc::gen::inRange<std::size_t>(1, 9));
    std::vector<std::string> all = expected;
    if (!query->as<Sort>()) all = texts_of(must(answer(query, view, {.rows_max = 1'000})).rows);
    if (paged != joined(all)) RC_FAIL(render(*plans[0].root) + joined(all) + "\npaged: " + paged);
  }
}

}  // namespace
}  // namespace mayfly::query
