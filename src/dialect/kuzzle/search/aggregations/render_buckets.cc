// Renders aggregations for clients.
#include <algorithm>
#include <cmath>

#include "dialect/kuzzle/search/aggregations/buckets.h"
#include "dialect/kuzzle/search/dsl/dates.h"
#include "dialect/kuzzle/search/limits.h"
#include "expr/evaluation/evaluate.h"
#include "value/json/json.h"
#include "value/order/order.h"

namespace mayfly::kuzzle::search {
namespace {

using AggregationKind = Aggregation::Kind;

Value computed_value(std::string_view function, std::initializer_list<Value> arguments) {
  ExprList literals;
  for (const Value& argument : arguments) literals.push_back(expr::literal(argument));
  const Value nothing;
  Meter meter;
  const auto result =
      evaluate(*expr::call(function, std::move(literals)), ValueScope(nothing), meter);
  return result ? *result : Value();
}

Value or_null(Value value) {
  return value.is_missing() ? Value(nullptr) : value;
}

Value part_of(const Object& values, const std::string& name) {
  const Value* found = values.find(name);
  return found ? *found : Value();
}

std::uint64_t documents_in(const Bucket& bucket) {
  const Value count = part_of(bucket.values, "count");
  return count.is(Kind::integer) ? static_cast<std::uint64_t>(count.integer()) : 0;
}

Value date_text(const Aggregation& of, const Value& millis) {
  if (!millis.is_number()) return {};
  constexpr double millis_max = 1e15;  // far beyond the year 9999, which is the last that is shown
  const double within = std::clamp(millis.number(), -millis_max, millis_max);
  std::string text = render_date(static_cast<std::int64_t>(within));
  if (of.format.empty()) return Value(std::move(text));
  if (of.format == "epoch_millis") return computed_value("to_text", {millis});
  return computed_value("format_time_text", {Value(std::move(text)), Value(of.format)});
}

// --- metrics ---

Value average_of(const Aggregation& metric, const Object& values) {
  return computed_value(
      "divide", {part_of(values, metric.name + ".sum"), part_of(values, metric.name + ".count")});
}

// The value of a metric, or of one of its parts.
Value metric_value(const Aggregation& metric, const Object& values, std::string part) {
  if (part.empty()) {
    switch (metric.kind) {
      case AggregationKind::average: part = "avg"; break;
      case AggregationKind::minimum: part = "min"; break;
      case AggregationKind::maximum: part = "max"; break;
      case AggregationKind::sum: part = "sum"; break;
      default: part = "count"; break;
    }
  }
  if (part == "avg") {
    const Value count = part_of(values, metric.name + ".count");
    return count.is_number() && count.number() > 0 ? average_of(metric, values) : Value();
  }
  Value value = part_of(values, metric.name + "." + part);
  if (value.is_missing() && (part == "count" || part == "sum")) return Value(0);
  return value;
}

Object render_metric(const Aggregation& metric, const Object& values) {
  const bool is_number =
      metric.kind == AggregationKind::value_count || metric.kind == AggregationKind::cardinality;
  Object made;
  if (metric.kind != AggregationKind::stats) {
    Value value = metric_value(metric, values, "");
    if (metric.is_date && !is_number) {
      Value text = date_text(metric, value);
      made.set("value", or_null(std::move(value)));
      if (!text.is_missing()) made.set("value_as_string", std::move(text));
    } else {
      made.set("value", or_null(std::move(value)));
    }
    return made;
  }
  for (const std::string_view part : {"count", "min", "max", "avg", "sum"}) {
    made.set(part, or_null(metric_value(metric, values, std::string(part))));
  }
  return made;
}

// --- buckets ---

class Renderer {
 public:
  // The content of one bucket.
  Result<Object> inner(const std::vector<Aggregation>& aggregations, const Level& level,
                       const Array& around, const Object& values) {
    Object made;
    for (const Aggregation& aggregation : aggregations) {
      if (!aggregation.has_buckets()) {
        made.set(aggregation.name, render_metric(aggregation, values));
        continue;
      }
      const Level& below = level.inner.at(aggregation.name);
      const auto found = below.buckets.find(render_json(Value(around)));
      static const std::vector<Bucket> none;
      const std::vector<Bucket>& buckets = found == below.buckets.end() ? none : found->second;
      made.set(aggregation.name, TRY(of(aggregation, below, around, buckets)));
    }
    return made;
  }

 private:
  Result<Object> of(const Aggregation& own, const Level& level, const Array& around,
                    const std::vector<Bucket>& buckets) {
    if (own.kind == AggregationKind::filter) {
      const Bucket empty{around, {}};
      const Bucket& bucket = buckets.empty() ? empty : buckets.front();
      Object made{{"doc_count", Value(static_cast<std::int64_t>(documents_in(bucket)))}};
      TRY(add_inner(made, own, level, bucket));
      return made;
    }
    std::vector<const Bucket*> shown;
    std::uint64_t others = 0;
    for (const Bucket& bucket : buckets) {
      if (documents_in(bucket) >= own.count_min) shown.push_back(&bucket);
    }
    std::vector<Bucket> gaps;
    if (own.kind != AggregationKind::terms && own.count_min == 0) {
      gaps = TRY(gaps_of(own, around, shown));
      for (const Bucket& gap : gaps) shown.push_back(&gap);
    }
    sort(own, shown);
    if (own.kind == AggregationKind::terms && shown.size() > own.size) {
      for (std::size_t i = own.size; i < shown.size(); ++i) others += documents_in(*shown[i]);
      shown.resize(own.size);
    }
    return list(own, level, shown, others);
  }

  Result<Object> list(const Aggregation& own, const Level& level,
                      const std::vector<const Bucket*>& shown, std::uint64_t others) {
    Array rendered;
    for (const Bucket* bucket : shown) {
      if (++reported_buckets_ > limits::aggregation_buckets_max) {
        return fail(Code::too_large, "the response would have too many buckets", "aggregations");
      }
      Object one = keyed(own, bucket->keys.back());
      one.set("doc_count", Value(static_cast<std::int64_t>(documents_in(*bucket))));
      TRY(add_inner(one, own, level, *bucket));
      rendered.emplace_back(std::move(one));
    }
    Object made;
    if (own.kind == AggregationKind::terms) {
      made.set("doc_count_error_upper_bound", Value(0));
      made.set("sum_other_doc_count", Value(static_cast<std::int64_t>(others)));
    }
    made.set("buckets", Value(std::move(rendered)));
    return made;
  }

  static Object keyed(const Aggregation& own, const Value& key) {
    if (key.is(Kind::boolean)) {
      return {{"key", Value(key.boolean() ? 1 : 0)},
              {"key_as_string", Value(key.boolean() ? "true" : "false")}};
    }
    Object made{{"key", key}};
    if (own.is_date) made.set("key_as_string", or_null(date_text(own, key)));
    return made;
  }

  Result<void> add_inner(Object& made, const Aggregation& own, const Level& level,
                         const Bucket& bucket) {
    for (auto& [name, value] : TRY(inner(own.inner, level, bucket.keys, bucket.values))) {
      made.set(name, value);
    }
    return {};
  }

  // Empty buckets between the first and the last.
  static Result<std::vector<Bucket>> gaps_of(const Aggregation& own, const Array& around,
                                             const std::vector<const Bucket*>& shown) {
    std::vector<Bucket> gaps;
    for (std::size_t i = 1; i < shown.size(); ++i) {
      const Value& end = shown[i]->keys.back();
      Value key = next_key(own, shown[i - 1]->keys.back());
      // A value just below a whole step is that step, except for rounding errors.
      while (key.is_number() && key.number() < end.number() - own.interval / 2 &&
             (own.unit.empty() || key.number() < end.number())) {
        if (gaps.size() == limits::aggregation_buckets_max) {
          return fail(Code::too_large, "the response would have too many buckets", "aggregations");
        }
        gaps.push_back({around, {}});
        gaps.back().keys.push_back(key);
        key = next_key(own, key);
      }
    }
    return gaps;
  }
  static Value next_key(const Aggregation& own, const Value& key) {
    if (!own.unit.empty()) return computed_value("millis_begin", {key, Value(own.unit), Value(1)});
    const double next = key.number() + own.interval;
    constexpr double millis_max = 0x1p62;
    if (!(next > key.number()) || (own.is_date && next > millis_max)) return {};
    return own.is_date ? Value(static_cast<std::int64_t>(next)) : Value(next);
  }

  void sort(const Aggregation& own, std::vector<const Bucket*>& shown) const {
    const auto is_before = [&](const Bucket* a, const Bucket* b) {
      for (const Aggregation::Order& by : own.order) {
        const auto o = order(ordering_value(own, *a, by.by), ordering_value(own, *b, by.by));
        if (o != 0) return by.is_descending ? o > 0 : o < 0;
      }
      return order(a->keys.back(), b->keys.back()) < 0;
    };
    std::sort(shown.begin(), shown.end(), is_before);
  }
  static Value ordering_value(const Aggregation& own, const Bucket& bucket, const std::string& by) {
    if (by == "_key") return bucket.keys.back();
    if (by == "_count") return Value(static_cast<std::int64_t>(documents_in(bucket)));
    const std::size_t dot = by.find('.');
    for (const Aggregation& metric : own.inner) {
      if (metric.has_buckets() || metric.name != by.substr(0, dot)) continue;
      return metric_value(metric, bucket.values,
                          dot == std::string::npos ? std::string() : by.substr(dot + 1));
    }
    return {};
  }

  std::size_t reported_buckets_ = 0;
};

}  // namespace

Result<Object> render_level(const std::vector<Aggregation>& aggregations, const Level& level) {
  const auto found = level.buckets.find("[]");
  const Bucket empty;
  const Bucket& bucket =
      found == level.buckets.end() || found->second.empty() ? empty : found->second.front();
  return Renderer().inner(aggregations, level, {}, bucket.values);
}

}  // namespace mayfly::kuzzle::search
