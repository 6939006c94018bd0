// The filter language: the rendered text of an accepted filter, if it is accepted, renders the
// same. The filter has the same result on values and on packed bytes, folded or not, and finds the
// same documents with indexes and without, in one page or many.
//
// The input is a filter; after the first line feed a sort; and after the second one a document.
#include "dialect/native/filter/filter.h"

#include <algorithm>

#include "db/database.h"
#include "expr/analyse.h"
#include "expr/evaluation/evaluate.h"
#include "expr/render.h"
#include "fuzz.h"
#include "query/planning/planner.h"
#include "query/run.h"
#include "store/memory/memory_store.h"
#include "value/json/json.h"
#include "value/json/tokens.h"
#include "value/order/order.h"

namespace mayfly::fuzz {
namespace {

constexpr std::string_view documents[] = {
    R"({"a":1,"b":"x","c":[1,2,"x"],"t":"2026-09-01T00:00:00Z"})",
    R"({"a":2.0,"b":"X","c":[]})",
    R"({"a":-1.5,"b":"","c":[[1],{"d":1}],"d":{"e":{"f":1}}})",
    R"({"a":null,"b":"é","c":null})",
    R"({"a":true,"b":["x"],"c":{"d":1}})",
    R"({"b":"abc","c":"abc"})",
    R"({"a":9223372036854775807,"b":"b\u0000"})",
    R"({"a":9223372036854775808.0,"b":"x"})",
    R"({"a":[1,2],"b":{"x":1}})",
    R"({"a":"1","d":{"e":null}})",
    R"({"a":1,"b":"x","d":{"e":{"f":2}}})",
    R"({})",
};

// A row whose body lies packed, as in a query.
class PackedScope final : public Scope {
 public:
  explicit PackedScope(const Packed& body) : body_(body) {}
  Value field(Slot slot, const Field& field) const override {
    return slot == 0 && field.part == Part::body ? body_.at(field.path) : Value();
  }
  const Packed* packed() const override { return &body_; }

 private:
  const Packed& body_;
};

// Two collections with the same documents; one has indexes.
struct World {
  ManualClock clock{Instant::from_seconds(1'800'000'000)};
  std::unique_ptr<Database> database = Database::open(store::open_memory(), clock).value();
  CollectionPtr plain;
  CollectionPtr indexed;

  World() {
    const DatabaseId id = database->create_database("d").value()->id;
    const std::vector<IndexSpec> indexes = {
        {"by_a", {{Field::body("a"), false}}},
        {"by_b_a", {{Field::body("b"), false}, {Field::body("a"), true}}},
        {"by_writing", {{Field::metadata("written_at"), true}}},
    };
    plain = database->create_collection(id, {"plain", {}, {}}).value();
    indexed = database->create_collection(id, {"indexed", {}, indexes}).value();
    for (const CollectionPtr& collection : {plain, indexed}) {
      int number = 0;
      for (const std::string_view json : documents) {
        const DocumentKey key = DocumentKey::of("d" + std::to_string(number++ * 7 % 12));
        const auto put = database->transact([&](Transaction& t) -> Result<void> {
          TRY(t.put(collection, key, TRY(pack_json(json)), {}));
          return {};
        });
        CHECK(put.has_value());
      }
    }
  }
};

World& world() {
  static World made;
  return made;
}

// --- the expression ---

// Nothing where it would be too large.
std::optional<Value> value_in(const Expr& expr, const Scope& scope) {
  Meter meter;
  const auto value = evaluate(expr, scope, meter);
  if (value) return *value;
  CHECK(value.error().code == Code::too_large);
  return std::nullopt;
}

void check_evaluation(const ExprPtr& expr, const ExprPtr& folded, const Value& document) {
  const auto packed = pack(document);
  CHECK(packed.has_value());
  const Packed body(*packed);
  const ValueScope values(document);
  const PackedScope bytes(body);
  const auto value = value_in(*expr, values);
  if (!value) return;
  if (is_truth(*expr)) CHECK(value->is(Kind::boolean) || value->is_missing());
  if (is_never_missing(*expr)) CHECK(!value->is_missing());
  for (const Scope* scope :
       {static_cast<const Scope*>(&values), static_cast<const Scope*>(&bytes)}) {
    for (const ExprPtr& form : {expr, folded}) {
      const auto again = value_in(*form, *scope);
      if (again) CHECK(same(*again, *value));
      Meter meter;
      const auto decided = truth(*form, *scope, meter);
      if (decided) CHECK(*decided == to_truth(*value));
    }
  }
}

void check_text(const ExprPtr& expr) {
  const std::string text = render(*expr);
  const auto again = native::parse_filter(text);
  if (again) CHECK(render(**again) == text);
}

// --- the query ---

using Ids = std::vector<std::string>;

// A bookmark that another version may have written is refused, or leads to documents.
void check_altered(const query::QueryPtr& query, View& view, const query::Bookmark& bookmark,
                   Random& random) {
  const Bytes bytes = query::encode(bookmark);
  const auto altered = query::decode_bookmark(mutated(bytes, bytes, random));
  if (!altered) return;
  const auto page = query::answer(query, view, {2, *altered, {}});
  CHECK(page || page.error().code == Code::invalid || page.error().code == Code::too_large);
}

// All pages of so many rows.
std::optional<Ids> ids_of(const query::QueryPtr& query, View& view, std::size_t rows_max) {
  Ids ids;
  std::optional<query::Bookmark> bookmark;
  do {
    const auto page = query::answer(query, view, {rows_max, bookmark, {}});
    if (!page) {
      CHECK(page.error().code != Code::internal && page.error().code != Code::corrupt);
      return std::nullopt;
    }
    CHECK(page->rows.size() <= rows_max && ids.size() <= std::size(documents));
    for (const query::QueryRow& row : page->rows) ids.emplace_back(row.document->id);
    bookmark = page->next;
    if (!bookmark) continue;
    const Bytes bytes = query::encode(*bookmark);
    CHECK(query::decode_bookmark(bytes).value() == *bookmark);
    Random random(seed_of(bytes));
    check_altered(query, view, *bookmark, random);
  } while (bookmark);
  return ids;
}

Ids sorted(Ids ids) {
  std::sort(ids.begin(), ids.end());
  return ids;
}

void check_query(const ExprPtr& condition, const std::vector<query::SortKey>& keys) {
  View view = world().database->view();
  std::vector<Ids> answers;
  for (const CollectionPtr& collection : {world().plain, world().indexed}) {
    query::QueryPtr query = query::filter(query::scan(collection, view.live()), condition);
    // By id at the end, so that there is one right order.
    std::vector<query::SortKey> all = keys;
    all.push_back({expr::metadata("id"), false});
    if (!keys.empty() && keys.size() < limits::sort_keys_max) query = query::sort(query, all);
    const auto whole = ids_of(query, view, 100);
    const auto pages = ids_of(query, view, 2);
    CHECK(whole.has_value() == pages.has_value());
    if (!whole) return;
    CHECK(*whole == *pages);
    const auto plan = query::plan(query, {view.now(), std::nullopt});
    const auto counted = query::count(plan.value(), view);
    if (counted) CHECK(counted->rows == whole->size());
    answers.push_back(keys.empty() ? sorted(*whole) : *whole);
    CHECK(query::fingerprint(*query) == query::fingerprint(*query));
  }
  CHECK(answers[0] == answers[1]);
}

}  // namespace

void run(BytesView input) {
  if (!is_utf8(input)) return;  // which no request lets through
  const std::size_t first = std::min(input.find('\n'), input.size());
  const std::size_t second = std::min(input.find('\n', first + 1), input.size());
  const BytesView filter = input.substr(0, first);
  const BytesView sort = input.substr(std::min(first + 1, input.size()), second - first);
  const auto expr = native::parse_filter(filter);
  const auto keys = native::parse_sort(sort.substr(0, sort.find('\n')));
  if (!expr) {
    const Error& error = expr.error();
    CHECK(error.code == Code::invalid || error.code == Code::too_large);
    CHECK(error.field == "filter" && is_utf8(error.message) && error.message.size() < 1'000);
    return;
  }
  if (!keys) CHECK(keys.error().field == "sort");
  check_text(*expr);
  const ExprPtr folded = fold(*expr);
  for (std::size_t i = 0; i < 3; ++i) {
    check_evaluation(*expr, folded, *parse_json(documents[i * 4]));
  }
  const auto given = parse_json(input.substr(std::min(second + 1, input.size())));
  if (given && given->is(Kind::object)) check_evaluation(*expr, folded, *given);
  check_query(*expr, keys ? *keys : std::vector<query::SortKey>());
}

}  // namespace mayfly::fuzz
