// Parses the bodies of aggregations.
#include <cmath>

#include "dialect/kuzzle/search/dsl/lowering.h"
#include "dialect/kuzzle/search/limits.h"
#include "dialect/kuzzle/search/scrolls.h"

namespace mayfly::kuzzle::search {
namespace {

using expr::call;
using expr::literal;
using AggregationKind = Aggregation::Kind;

struct NamedKind {
  std::string_view name;
  AggregationKind kind;
};
constexpr NamedKind kinds[] = {
    {"terms", AggregationKind::terms},
    {"histogram", AggregationKind::histogram},
    {"date_histogram", AggregationKind::date_histogram},
    {"filter", AggregationKind::filter},
    {"avg", AggregationKind::average},
    {"min", AggregationKind::minimum},
    {"max", AggregationKind::maximum},
    {"sum", AggregationKind::sum},
    {"stats", AggregationKind::stats},
    {"value_count", AggregationKind::value_count},
    {"cardinality", AggregationKind::cardinality},
};

constexpr std::string_view calendar_units[] = {"second", "minute", "hour",    "day",
                                               "week",   "month",  "quarter", "year"};
struct ShortUnit {
  std::string_view name;
  std::string_view unit;
};
constexpr ShortUnit short_units[] = {{"1s", "second"},  {"1m", "minute"}, {"1h", "hour"},
                                     {"1d", "day"},     {"1w", "week"},   {"1M", "month"},
                                     {"1q", "quarter"}, {"1y", "year"}};

// The calendar unit of an interval; empty if it is none.
std::string_view calendar_unit(std::string_view interval) {
  for (const std::string_view unit : calendar_units) {
    if (unit == interval) return unit;
  }
  for (const ShortUnit& unit : short_units) {
    if (unit.name == interval) return unit.unit;
  }
  return {};
}

class AggregationReader {
 public:
  explicit AggregationReader(const Language& language)
      : lowering_(language, limits::aggregation_depth_max) {}

  Result<std::vector<Aggregation>> read(const Value& body, const std::string& place,
                                        std::size_t depth) {
    std::vector<Aggregation> aggregations;
    if (body.is_missing() || body.is_null()) return aggregations;
    if (!body.is(mayfly::Kind::object)) return wrong(place, "is an object");
    for (const auto& [name, definition] : body.object()) {
      const std::string inner = place + "." + name;
      if (depth > limits::aggregation_depth_max || ++count_ > limits::aggregations_max) {
        return fail(Code::too_large, "there are too many aggregations, or too deep", inner);
      }
      aggregations.push_back(TRY(read_one(name, definition, inner, depth)));
    }
    return aggregations;
  }

 private:
  Result<Aggregation> read_one(const std::string& name, const Value& definition,
                               const std::string& place, std::size_t depth) {
    if (!definition.is(mayfly::Kind::object)) return wrong(place, "is an object");
    Aggregation made{.name = name};
    const Object::Member* found = nullptr;
    const Value* inner = nullptr;
    std::string inner_place;
    for (const Object::Member& member : definition.object()) {
      if (member.first == "aggs" || member.first == "aggregations") {
        inner = &member.second;
        inner_place = place + "." + member.first;
      } else if (member.first != "meta") {
        if (found != nullptr) return wrong(place, "is one aggregation");
        found = &member;
      }
    }
    if (found == nullptr) return wrong(place, "is of no kind");
    made.kind = TRY(kind_named(found->first, place));
    TRY(fill(made, found->second, place + "." + found->first));
    if (inner == nullptr) return made;
    if (!made.has_buckets()) return wrong(inner_place, "stands in no bucket");
    made.inner = TRY(read(*inner, inner_place, depth + 1));
    return made;
  }

  static Result<AggregationKind> kind_named(std::string_view name, const std::string& place) {
    for (const NamedKind& known : kinds) {
      if (known.name == name) return known.kind;
    }
    return fail(Code::unsupported, "the aggregation " + std::string(name) + " is not offered",
                place + "." + std::string(name));
  }

  Result<void> fill(Aggregation& made, const Value& body, const std::string& place) {
    if (made.kind == AggregationKind::filter) {
      made.values = TRY(lower_query(lowering_, body, place, 1)).condition;
      return {};
    }
    if (!body.is(mayfly::Kind::object)) return wrong(place, "is an object");
    const Value field = body.member("field");
    if (!field.is(mayfly::Kind::text)) return wrong(place + ".field", "is the name of a field");
    const FieldValues of = lowering_.find(field.text());
    made.is_date = of.type == FieldType::date;
    switch (made.kind) {
      case AggregationKind::terms: return fill_terms(made, of, body.object(), field.text(), place);
      case AggregationKind::histogram:
        return fill_histogram(made, of, body.object(), field.text(), place);
      case AggregationKind::date_histogram: return fill_dates(made, of, body.object(), place);
      default: return fill_metric(made, of, body.object(), field.text(), place);
    }
  }

  // The value for rows that have none.
  Result<ExprPtr> with_missing(ExprPtr values, const Object& body, const std::string& place) {
    const Value* missing = body.find("missing");
    if (missing == nullptr) return values;
    if (missing->is(mayfly::Kind::array) || missing->is(mayfly::Kind::object)) {
      return wrong(place + ".missing", "is one value");
    }
    return call("when", {expr::equal(call("array_length", {values}), literal(0)),
                         literal(Array{*missing}), values});
  }

  Result<void> fill_metric(Aggregation& made, const FieldValues& of, const Object& body,
                           const std::string& name, const std::string& place) {
    TRY(check_members(body, {"field", "missing", "precision_threshold", "format"}, place));
    const bool is_of_any =
        made.kind == AggregationKind::value_count || made.kind == AggregationKind::cardinality;
    ExprPtr values = is_of_any ? any_values(of) : TRY(numbers_of(lowering_, of, name, place));
    made.values = TRY(with_missing(std::move(values), body, place));
    return {};
  }

  ExprPtr any_values(const FieldValues& of) {
    return of.is_fact ? call("values_at", {of.values}) : of.values;
  }

  // --- terms ---

  Result<void> fill_terms(Aggregation& made, const FieldValues& of, const Object& body,
                          const std::string& name, const std::string& place) {
    TRY(check_members(body,
                      {"field", "size", "order", "missing", "min_doc_count", "shard_size",
                       "show_term_doc_count_error", "execution_hint", "collect_mode"},
                      place));
    ExprPtr values = TRY(values_of(lowering_, of, name, place + ".field"));
    ExprPtr counted = TRY(with_missing(std::move(values), body, place));
    made.values = call("array_distinct", {std::move(counted)});
    if (const Value* size = body.find("size")) {
      made.size = TRY(count_of(*size, place + ".size"));
      if (made.size == 0) made.size = limits::aggregation_buckets_max;
    }
    if (const Value* least = body.find("min_doc_count")) {
      made.count_min = std::max<std::uint64_t>(1, TRY(count_of(*least, place + ".min_doc_count")));
    }
    made.order = {{"_count", true}};
    return read_order(made, body, place);
  }

  static Result<void> read_order(Aggregation& made, const Object& body, const std::string& place) {
    const Value* definition = body.find("order");
    if (definition == nullptr) return {};
    made.order.clear();
    const std::string inner = place + ".order";
    for (const Value& one :
         definition->is(mayfly::Kind::array) ? definition->array() : Array{*definition}) {
      if (!one.is(mayfly::Kind::object)) return wrong(inner, "is an object");
      for (const auto& [by, way] : one.object()) {
        const bool is_known =
            way.is(mayfly::Kind::text) && (way.text() == "asc" || way.text() == "desc");
        if (!is_known) return wrong(inner + "." + by, "is asc or desc");
        const bool is_key = by == "_key" || by == "_term";
        made.order.push_back({is_key ? "_key" : by, way.text() == "desc"});
      }
    }
    if (made.order.size() > limits::search_sorts_max) {
      return fail(Code::too_large, "buckets are sorted by too many things", inner);
    }
    return {};
  }

  // --- histograms ---

  // The key of each value: the beginning of its bucket.
  ExprPtr bucketed(const ExprPtr& values, const std::function<ExprPtr(ExprPtr)>& begin) {
    const Slot slot = lowering_.new_slot();
    return call("array_distinct",
                {expr::each(expr::Each::Mode::map, slot, values, begin(expr::slot(slot)))});
  }
  static ExprPtr floored(ExprPtr value, double interval, double offset) {
    ExprPtr from = call("subtract", {std::move(value), literal(offset)});
    ExprPtr steps = call("floor", {call("divide", {std::move(from), literal(interval)})});
    return call("add", {call("multiply", {std::move(steps), literal(interval)}), literal(offset)});
  }

  Result<void> read_histogram(Aggregation& made, const Object& body, const std::string& place) {
    made.count_min = 0;
    made.order = {{"_key", false}};
    if (const Value* least = body.find("min_doc_count")) {
      made.count_min = TRY(count_of(*least, place + ".min_doc_count"));
    }
    return read_order(made, body, place);
  }

  Result<void> fill_histogram(Aggregation& made, const FieldValues& of, const Object& body,
                              const std::string& name, const std::string& place) {
    TRY(check_members(body, {"field", "interval", "offset", "min_doc_count", "order", "missing"},
                      place));
    TRY(read_histogram(made, body, place));
    const Value* interval = body.find("interval");
    made.interval = interval && interval->is_number() ? interval->number() : 0;
    if (!(made.interval > 0) || !std::isfinite(made.interval)) {
      return wrong(place + ".interval", "is a number above 0");
    }
    const Value* offset = body.find("offset");
    const double shift = offset && offset->is_number() ? offset->number() : 0;
    const ExprPtr values =
        TRY(with_missing(TRY(numbers_of(lowering_, of, name, place + ".field")), body, place));
    made.values = bucketed(
        values, [&](ExprPtr value) { return floored(std::move(value), made.interval, shift); });
    return {};
  }

  // Milliseconds of "90m"; 0 if it is not an interval.
  static double fixed_interval(std::string_view text) {
    const auto span = text.empty() ? Result<Span>(Span{0}) : parse_duration(text, "interval");
    if (span) return static_cast<double>(span->micros) / 1'000;
    // Days and weeks may have a factor.
    const std::size_t digits = text.find_first_not_of("0123456789");
    constexpr std::size_t digits_max = 6;
    if (digits == 0 || digits > digits_max || digits + 1 != text.size()) return 0;
    const double count = std::stod(std::string(text.substr(0, digits)));
    constexpr double day = 86'400'000;
    if (text.back() == 'd') return count * day;
    return text.back() == 'w' ? count * 7 * day : 0;
  }

  Result<void> fill_dates(Aggregation& made, const FieldValues& of, const Object& body,
                          const std::string& place) {
    TRY(check_members(body,
                      {"field", "interval", "calendar_interval", "fixed_interval", "time_zone",
                       "min_doc_count", "order", "format", "missing"},
                      place));
    TRY(read_histogram(made, body, place));
    made.is_date = true;
    std::string interval;
    for (const auto& [name, value] : body) {
      if (name.ends_with("interval") && value.is(mayfly::Kind::text)) interval = value.text();
      if (name == "format" && value.is(mayfly::Kind::text)) made.format = value.text();
      if (name == "time_zone" && !(value.is(mayfly::Kind::text) && value.text() == "UTC")) {
        return fail(Code::unsupported, "dates are of UTC", place + ".time_zone");
      }
    }
    made.unit = calendar_unit(interval);
    if (made.unit.empty()) made.interval = fixed_interval(interval);
    if (made.unit.empty() && !(made.interval >= 1)) {
      return wrong(place + ".interval", "is a unit such as day, or a duration such as 90m");
    }
    const ExprPtr values = TRY(with_missing(any_values(of), body, place));
    made.values = bucketed(values, [&](ExprPtr value) {
      ExprPtr millis = call("to_millis", {std::move(value)});
      if (!made.unit.empty()) return call("millis_begin", {std::move(millis), literal(made.unit)});
      return call("to_integer", {floored(std::move(millis), made.interval, 0)});
    });
    return {};
  }

  Lowering lowering_;
  std::size_t count_ = 0;
};

}  // namespace

Result<std::vector<Aggregation>> parse_aggregations(const Value& body, const Language& language,
                                                    const std::string& place) {
  return AggregationReader(language).read(body, place, 1);
}

}  // namespace mayfly::kuzzle::search
