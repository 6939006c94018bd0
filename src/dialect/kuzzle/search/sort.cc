// Sort orders, and search_after.
#include "dialect/kuzzle/search/dsl/dates.h"
#include "dialect/kuzzle/search/dsl/lowering.h"
#include "dialect/kuzzle/search/limits.h"

namespace mayfly::kuzzle::search {
namespace {

using expr::call;
using expr::literal;

bool is_always_there(std::string_view name, const FieldValues& of) {
  return of.is_fact && of.type != FieldType::boolean &&
         (name == "_id" || name == "_uid" || name.ends_with(".createdAt"));
}

// One of several values: the least or the greatest, or by `mode`.
Result<ExprPtr> chosen(ExprPtr values, const Value& mode, bool is_descending,
                       const std::string& place) {
  std::string name = is_descending ? "max" : "min";
  if (mode.is(Kind::text)) name = mode.text();
  if (name == "min") return call("array_minimum", {std::move(values)});
  if (name == "max") return call("array_maximum", {std::move(values)});
  if (name == "avg") return call("array_average", {std::move(values)});
  if (name == "median") return call("array_median", {std::move(values)});
  if (name == "sum") return call("array_sum", {std::move(values)});
  return wrong(place + ".mode", "is min, max, avg, sum or median");
}

// Missing values sort first or last, in either direction.
ExprPtr key_of(const SortField& field) {
  if (field.missing == SortField::Missing::none) return field.value;
  const bool is_last = field.missing == SortField::Missing::last;
  const std::string_view mark = is_last == field.is_descending ? "exists" : "is_missing";
  return call("array", {call(mark, {field.value}), field.value});
}

Result<bool> descends(const Value& order, const std::string& place) {
  const std::string name = order.is(Kind::text) ? order.text() : std::string();
  if (name == "asc" || name == "ASC") return false;
  if (name == "desc" || name == "DESC") return true;
  return wrong(place, "is asc or desc");
}

class SortReader {
 public:
  SortReader(Lowering& lowering, const ScorePtr& score, std::vector<SortField>& fields)
      : lowering_(lowering), score_(score), fields_(fields) {}

  Result<void> read(const Value& sort, const std::string& place) {
    if (sort.is(Kind::text)) return add(sort.text(), Value(), place);
    if (sort.is(Kind::object)) {
      for (const auto& [name, how] : sort.object()) TRY(add(name, how, place + "." + name));
      return {};
    }
    return wrong(place, "is the name of a field, or an object of them");
  }

 private:
  Result<void> add(const std::string& name, const Value& how, const std::string& place) {
    if (fields_.size() == limits::search_sorts_max) {
      return fail(Code::too_large, "a search is sorted by too many fields", place);
    }
    SortField field{.name = name};
    const bool is_object = how.is(Kind::object);
    if (is_object) TRY(check_known(how.object(), place));
    const Value order = is_object ? how.member("order") : how;
    field.is_descending = order.is_missing() ? name == "_score" : TRY(descends(order, place));
    if (name == "_score") {
      const auto every = constant_of(score_);
      field.value = every ? literal(number_of_score(*every)) : expr::slot(score_slot);
      field.missing = SortField::Missing::none;
    } else if (name == "_doc") {
      field.value = literal(0);
    } else {
      TRY(fill(field, how, place));
    }
    fields_.push_back(std::move(field));
    return {};
  }

  static Result<void> check_known(const Object& how, const std::string& place) {
    for (const std::string_view name : {"nested_path", "nested_filter", "nested", "_script"}) {
      if (how.find(name) != nullptr) {
        return fail(Code::unsupported, "this way of sorting is not offered",
                    place + "." + std::string(name));
      }
    }
    return check_members(
        how,
        {"order", "missing", "mode", "unmapped_type", "ignore_unmapped", "format", "numeric_type"},
        place);
  }

  Result<void> fill(SortField& field, const Value& how, const std::string& place) {
    if (field.name == "_geo_distance" || field.name == "_script") {
      return fail(Code::unsupported, "sorting by " + field.name + " is not offered", place);
    }
    const FieldValues of = lowering_.find(field.name);
    field.type = of.type;
    if (is_always_there(field.name, of)) {
      field.missing = SortField::Missing::none;
      field.value = of.values;
      return {};
    }
    ExprPtr values = TRY(values_of(lowering_, of, field.name, place));
    field.value = TRY(chosen(std::move(values), how.member("mode"), field.is_descending, place));
    const Value missing = how.member("missing");
    if (missing.is(Kind::text) && missing.text() == "_first") {
      field.missing = SortField::Missing::first;
    } else if (!missing.is_missing() && !(missing.is(Kind::text) && missing.text() == "_last")) {
      field.value = expr::if_missing(field.value, literal(missing));
    }
    return {};
  }

  Lowering& lowering_;
  const ScorePtr& score_;
  std::vector<SortField>& fields_;
};

// --- going on ---

// Compares the key with the last hit's value: after it, or equal.
struct Standing {
  ExprPtr is_behind;
  ExprPtr is_with;
};

Standing standing(const ExprPtr& key, const Value& last, bool is_descending) {
  ExprPtr rank = call("rank", {key, literal(last)});
  return {call(is_descending ? "less" : "greater", {rank, literal(0)}),
          expr::equal(rank, literal(0))};
}

// Hits show milliseconds: instants in the same millisecond equal the last hit's.
Standing standing_of_instant(const ExprPtr& key, std::int64_t millis, bool is_descending) {
  const ExprPtr begin = literal(Instant{millis * 1'000});
  const ExprPtr end = literal(Instant{(millis + 1) * 1'000});
  ExprPtr is_earlier = call("less", {key, begin});
  ExprPtr is_later = call("greater_or_equal", {key, end});
  ExprPtr is_with =
      expr::all_of({call("greater_or_equal", {key, begin}), call("less", {key, end})});
  return {is_descending ? std::move(is_earlier) : std::move(is_later), std::move(is_with)};
}

Result<Standing> stand(Lowering& lowering, const SortField& field, Value last,
                       const std::string& place) {
  if (field.type == FieldType::date && !last.is_null()) {
    const auto millis = date_of(last, lowering.now(), Rounding::down);
    constexpr std::int64_t millis_max = 1'000'000'000'000'000;
    if (!millis || *millis > millis_max || *millis < -millis_max) return wrong(place, "is no date");
    // The key is the bare instant if it is the last sort key, otherwise the shown value.
    if (field.missing == SortField::Missing::none && field.key != field.value) {
      return standing_of_instant(field.key, *millis, field.is_descending);
    }
    last = Value(*millis);
  }
  if (field.missing == SortField::Missing::none && field.type == FieldType::date) {
    if (last.is_null()) return wrong(place, "is no date");
    return standing(field.key, last, field.is_descending);
  }
  if (field.name == "_score") {
    if (!last.is_number()) return wrong(place, "is a score");
    return standing(field.key, last, field.is_descending);
  }
  if (field.missing == SortField::Missing::none) {
    if (!last.is(Kind::text)) return wrong(place, "is an id");
    // `_uid` was once the collection, #, and the id.
    const std::size_t mark = field.name == "_uid" ? last.text().find('#') : std::string::npos;
    if (mark != std::string::npos) last = Value(last.text().substr(mark + 1));
    return standing(field.key, last, field.is_descending);
  }
  const bool is_there = !last.is_null();
  const bool marks_missing = (field.missing == SortField::Missing::last) != field.is_descending;
  Array pair{Value(is_there != marks_missing)};
  if (is_there) pair.push_back(std::move(last));
  return standing(field.key, Value(std::move(pair)), field.is_descending);
}

}  // namespace

Result<std::vector<SortField>> lower_sort(Lowering& lowering, const Value& sort,
                                          const ScorePtr& score) {
  std::vector<SortField> fields;
  SortReader reader(lowering, score, fields);
  if (sort.is(Kind::array)) {
    for (std::size_t i = 0; i < sort.array().size(); ++i) {
      TRY(reader.read(sort.array()[i], "sort." + std::to_string(i)));
    }
  } else if (!sort.is_missing() && !sort.is_null()) {
    TRY(reader.read(sort, "sort"));
  }
  for (std::size_t i = 0; i < fields.size(); ++i) {
    SortField& field = fields[i];
    const bool orders_nothing = field.value->as<expr::Literal>() != nullptr &&
                                (field.name == "_score" || field.name == "_doc");
    if (orders_nothing) continue;
    field.key = key_of(field);
    if (field.type != FieldType::date || field.missing != SortField::Missing::none) continue;
    // Hits show milliseconds, and search_after repeats these, so the following sort keys use them,
    // too.
    field.value = call("to_millis", {field.key});
    if (i + 1 < fields.size()) field.key = field.value;
  }
  return fields;
}

Result<ExprPtr> lower_after(Lowering& lowering, const std::vector<SortField>& sort,
                            const Value& after) {
  if (after.is_missing() || after.is_null()) return ExprPtr();
  const std::string place = "search_after";
  if (!after.is(Kind::array)) return wrong(place, "is a list of values");
  if (sort.empty()) return wrong(place, "needs a sort");
  if (after.array().size() != sort.size()) return wrong(place, "has a value for each of the sort");
  ExprList any;
  ExprList with;
  for (std::size_t i = 0; i < sort.size(); ++i) {
    if (sort[i].key == nullptr) continue;
    const std::string value_place = place + "." + std::to_string(i);
    const Value& last = after.array()[i];
    if (last.is(Kind::array) || last.is(Kind::object)) return wrong(value_place, "is one value");
    const Standing standing = TRY(stand(lowering, sort[i], last, value_place));
    ExprList here = with;
    here.push_back(standing.is_behind);
    any.push_back(expr::all_of(std::move(here)));
    with.push_back(standing.is_with);
  }
  // Without a sort key there is nothing after the last hit.
  return any.empty() ? literal(false) : expr::any_of(std::move(any));
}

}  // namespace mayfly::kuzzle::search
