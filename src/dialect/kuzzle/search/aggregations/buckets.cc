#include "dialect/kuzzle/search/aggregations/buckets.h"

#include "dialect/kuzzle/search/limits.h"
#include "query/planning/planner.h"
#include "query/run.h"
#include "value/json/json.h"

namespace mayfly::kuzzle::search {
namespace {

using BucketKind = Aggregation::Kind;

ExprPtr made_of(std::string_view function, const ExprPtr& values) {
  return expr::call(function, {values});
}

// The parts of a metric, as aggregates over the arrays of the rows.
void put_metric(const Aggregation& metric, std::vector<query::NamedAggregate>& out) {
  const auto put = [&](std::string_view part, std::string_view aggregate, ExprPtr value) {
    out.push_back(
        {metric.name + "." + std::string(part), find_aggregate(aggregate), std::move(value)});
  };
  const bool is_stats = metric.kind == BucketKind::stats;
  const bool is_average = metric.kind == BucketKind::average;
  if (metric.kind == BucketKind::value_count || is_stats || is_average) {
    put("count", "sum", made_of("array_length", metric.values));
  }
  if (metric.kind == BucketKind::sum || is_stats || is_average) {
    put("sum", "sum", made_of("array_sum", metric.values));
  }
  if (metric.kind == BucketKind::minimum || is_stats) {
    put("min", "minimum", made_of("array_minimum", metric.values));
  }
  if (metric.kind == BucketKind::maximum || is_stats) {
    put("max", "maximum", made_of("array_maximum", metric.values));
  }
  if (metric.kind == BucketKind::cardinality) put("count", "count_distinct_items", metric.values);
}

class LevelReader {
 public:
  explicit LevelReader(const SearchContext& context) : context_(context) {}

  // Reads the aggregations within one bucket aggregation, or (own null) at the top of the search.
  Result<Level> read(const Aggregation* own, const std::vector<Aggregation>& inner,
                     ExprList conditions, ExprList keys) {
    Level level;
    bool has_metrics = false;
    for (const Aggregation& aggregation : inner) {
      has_metrics = has_metrics || !aggregation.has_buckets();
    }
    if (own != nullptr || has_metrics) TRY(read_buckets(level, own, inner, conditions, keys));
    for (const Aggregation& aggregation : inner) {
      if (!aggregation.has_buckets()) continue;
      ExprList conditions_below = conditions;
      ExprList keys_below = keys;
      (aggregation.kind == BucketKind::filter ? conditions_below : keys_below)
          .push_back(aggregation.values);
      level.inner.emplace(aggregation.name,
                          TRY(read(&aggregation, aggregation.inner, std::move(conditions_below),
                                   std::move(keys_below))));
    }
    return level;
  }

 private:
  Result<void> read_buckets(Level& level, const Aggregation* own,
                            const std::vector<Aggregation>& inner, const ExprList& conditions,
                            const ExprList& keys) {
    query::QueryPtr rows = rows_of(context_, lens_of(context_));
    if (!conditions.empty()) rows = query::filter(std::move(rows), expr::all_of(conditions));
    std::vector<query::Named> names;
    for (Slot slot = 1; slot <= keys.size(); ++slot) {
      rows = query::unnest(std::move(rows), slot, keys[slot - 1]);
      names.push_back({std::to_string(slot), expr::slot(slot)});
    }
    std::vector<query::NamedAggregate> aggregates{
        {"count", find_aggregate("count"), expr::literal(1)}};
    for (const Aggregation& metric : inner) {
      if (!metric.has_buckets()) put_metric(metric, aggregates);
    }
    rows = query::group(std::move(rows), names, std::move(aggregates));
    query::RowsPage page = TRY(query::answer(
        rows, context_.view,
        {.rows_max = limits::sort_rows_max, .bookmark = {}, .meter = context_.meter}));
    if (page.next) return fail(Code::too_large, "there are too many buckets", "aggregations");
    // A bucket with a key is nested in the enclosing buckets; a filter's bucket has their keys.
    const bool has_key = own != nullptr && own->kind != BucketKind::filter;
    for (query::QueryRow& row : page.rows) {
      Bucket bucket = bucket_of(*row.value, names);
      Array around = bucket.keys;
      if (has_key) around.pop_back();
      level.buckets[render_json(Value(std::move(around)))].push_back(std::move(bucket));
    }
    return {};
  }

  // Keys are named by their numbers, metrics "name.part".
  static Bucket bucket_of(const Value& row, const std::vector<query::Named>& names) {
    Bucket bucket;
    bucket.values = row.object();
    for (const query::Named& name : names) {
      bucket.keys.push_back(row.member(name.name));
      bucket.values.remove(name.name);
    }
    return bucket;
  }

  const SearchContext& context_;
};

}  // namespace

Result<Level> read_level(const std::vector<Aggregation>& aggregations, const ExprPtr& query,
                         const SearchContext& context) {
  ExprList conditions;
  if (query) conditions.push_back(query);
  return LevelReader(context).read(nullptr, aggregations, std::move(conditions), {});
}

Result<Value> aggregate(const std::vector<Aggregation>& aggregations, const ExprPtr& query,
                        const SearchContext& context) {
  const Level level = TRY(read_level(aggregations, query, context));
  return Value(TRY(render_level(aggregations, level)));
}

}  // namespace mayfly::kuzzle::search
