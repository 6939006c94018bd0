// The rows are the same for every access path. Random queries run on random documents, some of them
// expired, with each index and without any.
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
T pick(const std::vector<T>& from) {
  return from[*rc::gen::inRange<std::size_t>(0, from.size())];
}

Value scalar() {
  static const std::vector<Value> values = {
      nullptr, true,      false, 0,   1,    2,   2.5,        -3,
      1e300,   INT64_MAX, "",    "a", "ab", "b", "\xC3\xA9", Instant{second(5)},
      Date{4}};
  return pick(values);
}

Value any_value() {
  switch (*rc::gen::inRange(0, 8)) {
    case 0: return Array{scalar(), scalar()};
    case 1: return Object{{"x", scalar()}};
    case 2: return Value();
    default: return scalar();
  }
}

const std::vector<std::string> names = {"a", "b", "c"};

ExprPtr condition() {
  static const std::vector<std::string> comparisons = {
      "equal", "not_equal", "less", "less_or_equal", "greater", "greater_or_equal"};
  const ExprPtr field = body(pick(names));
  switch (*rc::gen::inRange(0, 9)) {
    case 0: return call("in", {field, literal(Array{scalar(), scalar(), any_value()})});
    case 1: return call("between", {field, literal(scalar()), literal(scalar())});
    case 2: return call("starts_with", {field, literal(pick<std::string>({"", "a", "b"}))});
    case 3: return call("is_missing", {field});
    case 4: return expr::negation(call(pick(comparisons), {field, literal(scalar())}));
    case 5:
      return expr::any_of(
          {expr::equal(field, literal(scalar())), expr::equal(field, literal(scalar()))});
    case 6: return call("equal", {field, literal(any_value())});
    default: return call(pick(comparisons), {field, literal(scalar())});
  }
}

// A condition of several parts, which indexes serve by several ranges: also (a, b) > (x, y), and `a
// > x or a is missing`.
ExprPtr nested_condition(int depth = 0) {
  if (depth == 2) return condition();
  const auto nothing = [] {
    return expr::equal(expr::if_missing(body(pick(names)), literal(nullptr)), literal(nullptr));
  };
  switch (*rc::gen::inRange(0, 6)) {
    case 0: return expr::any_of({condition(), nothing()});
    case 1: return expr::any_of({condition(), condition(), nested_condition(depth + 1)});
    case 2: {
      const ExprPtr field = body(pick(names));
      const ExprPtr value = literal(scalar());
      return expr::any_of({call("greater", {field, value}),
                           expr::all_of({expr::equal(field, value), nested_condition(depth + 1)})});
    }
    default: return condition();
  }
}

std::vector<SortKey> sort_keys() {
  std::vector<SortKey> keys;
  for (int n = *rc::gen::inRange(0, 4); n > 0; --n) {
    const ExprPtr value = *rc::gen::inRange(0, 6) == 0 ? expr::metadata("id") : body(pick(names));
    keys.push_back({value, *rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>()});
  }
  return keys;
}

class Documents {
 public:
  Documents() {
    const auto field = [](std::string_view name, bool is_descending) {
      return IndexField{Field::body(name), is_descending};
    };
    const auto nothing_last = [](std::string_view name, bool is_descending) {
      return IndexField{
          .field = Field::body(name), .is_descending = is_descending, .null_is_greatest = true};
    };
    c_ = w_.collection("c", {},
                       {{"a", {field("a", false)}},
                        {"a_down", {field("a", true)}},
                        {"a_b", {field("a", false), field("b", false)}},
                        {"b_c", {field("b", true), field("c", false)}},
                        {"c_b_a", {field("c", true), field("b", true), field("a", false)}},
                        {"a_b_id",
                         {field("a", false), field("b", false), {Field::metadata("id")}},
                         Uniqueness::of_routing},
                        {"nothing_last", {nothing_last("a", false), nothing_last("b", true)}}});
    const int count = *rc::gen::inRange(0, 40);
    for (int i = 0; i < count; ++i) put(i);
    for (int i = 0; i < count; i += 7) put(i);
    for (int i = 3; i < count; i += 11) must(w_.remove(c_, id(i)));
    w_.clock.set(second(1'500));
  }

  static std::string id(int i) { return "d" + std::to_string(i); }

  void put(int i) {
    Object object;
    for (const std::string& name : names) {
      Value value = any_value();
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

  QueryPtr query() {
    QueryPtr made = scan(w_.now(c_), Lens::live(w_.database->now()));
    ExprList conditions;
    for (int n = *rc::gen::inRange(0, 4); n > 0; --n) conditions.push_back(nested_condition());
    if (!conditions.empty()) made = filter(made, expr::all_of(conditions));
    const std::vector<SortKey> keys = sort_keys();
    const Ties ties = *rc::gen::element(Ties::ascending, Ties::descending);
    return keys.empty() ? made : sort(made, keys, ties);
  }

  World& world() { return w_; }

 private:
  World w_;
  CollectionPtr c_;
};

std::vector<std::string> all_rows(const Plan& plan, View& view) {
  const Result<RowsPage> page = run(plan, view, {.rows_max = 1'000});
  RC_ASSERT(page.has_value());
  return texts_of(page->rows);
}

RC_GTEST_PROP(PathsPropertyTest, EveryPathGivesTheSameRows, ()) {
  Documents documents;
  View view = documents.world().database->view();
  for (int i = 0; i < 30; ++i) {
    const QueryPtr query = documents.query();
    const Plan chosen = *plan(query, {view.now(), std::nullopt});
    std::vector<std::string> rows = all_rows(chosen, view);
    const auto counted = *count(chosen, view);
    RC_ASSERT(counted.rows == rows.size());
    for (const IndexId only : {0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U}) {
      const Plan other = *plan(query, {view.now(), PlanChoice{only, Ties::any}});
      std::vector<std::string> other_rows = all_rows(other, view);
      std::vector<std::string> expected = rows;
      if (!query->as<Sort>()) {
        std::sort(expected.begin(), expected.end());
        std::sort(other_rows.begin(), other_rows.end());
      }
      if (expected != other_rows) {
        RC_FAIL(render(*chosen.root) + joined(expected) + "\n" + render(*other.root) +
                joined(other_rows));
      }
    }
    const std::size_t rows_max = *rc::gen::inRange<std::size_t>(1, 9);
    const std::string paged = pages_of(query, view, rows_max);
    if (paged != joined(rows)) RC_FAIL(render(*chosen.root) + joined(rows) + "\npaged: " + paged);
  }
}

}  // namespace
}  // namespace mayfly::query
