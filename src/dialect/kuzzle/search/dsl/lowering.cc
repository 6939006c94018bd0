// Field names, and helpers that parse bodies.
#include "dialect/kuzzle/search/dsl/lowering.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "dialect/kuzzle/search/limits.h"
#include "expr/render.h"

namespace mayfly::kuzzle::search {
namespace {

struct NamedFact {
  std::string_view name;
  FieldType type;
};
constexpr NamedFact facts[] = {
    {"author", FieldType::keyword}, {"updater", FieldType::keyword}, {"createdAt", FieldType::date},
    {"updatedAt", FieldType::date}, {"deletedAt", FieldType::date},  {"active", FieldType::boolean},
};

// The name of the metadata field, if the field is one.
std::string_view fact_name(std::string_view name) {
  for (const std::string_view prefix : {"_meta.", "_kuzzle_info."}) {
    if (name.starts_with(prefix)) return name.substr(prefix.size());
  }
  return {};
}

// The array of the values at these names within the slot's value.
ExprPtr values_at(const std::vector<std::string>& path, Slot slot) {
  if (path.empty()) return expr::call("values_at", {expr::slot(slot)});
  ExprList arguments{expr::field(Field::body(path.front()), slot)};
  for (std::size_t i = 1; i < path.size(); ++i) arguments.push_back(expr::literal(path[i]));
  return expr::call("values_at", std::move(arguments));
}

// Null if it was neither updated nor removed: its creator is no updater.
ExprPtr updater() {
  const auto is_null = [](std::string_view fact) {
    return expr::call("is_null", {core_fact(fact)});
  };
  return expr::call("when", {expr::all_of({is_null("updatedAt"), is_null("deletedAt")}),
                             expr::literal(nullptr), expr::metadata("updater")});
}

}  // namespace

ExprPtr core_fact(std::string_view name) {
  if (name == "author") return expr::metadata("author");
  if (name == "updater") return updater();
  if (name == "createdAt") return expr::metadata("created_at");
  if (name == "updatedAt") return expr::metadata("updated_at");
  if (name == "deletedAt") return expr::metadata("removed_at");
  if (name == "active") return expr::call("is_null", {expr::metadata("removed_at")});
  return nullptr;
}

Lowering::Location Lowering::where(std::string_view name) const {
  std::vector<std::string> path = language_.mapping.find(name).path;
  for (auto item = nested_.rbegin(); item != nested_.rend(); ++item) {
    const bool is_below = name == item->path || name.starts_with(item->path + ".");
    if (!is_below) continue;
    const auto steps = 1 + std::count(item->path.begin(), item->path.end(), '.');
    path.erase(path.begin(), path.begin() + std::min<std::ptrdiff_t>(steps, std::ssize(path)));
    return {std::move(path), item->slot};
  }
  return {std::move(path), 0};
}

ExprPtr Lowering::whole(std::string_view name) const {
  const Location here = where(name);
  Field field;
  for (const std::string& step : here.path) field.path.steps.emplace_back(step);
  return expr::field(std::move(field), here.slot);
}

FieldValues Lowering::find(std::string_view name) const {
  if (name == "_id" || name == "_uid") {
    return {FieldType::keyword, true, expr::metadata("id"), "_id"};
  }
  const std::string_view fact = fact_name(name);
  for (const NamedFact& known : facts) {
    if (known.name != fact) continue;
    ExprPtr value = language_.fact(fact);
    if (value) return {known.type, true, std::move(value), "_meta." + std::string(fact)};
  }
  const Location here = where(name);
  const MappedField field = language_.mapping.find(name);
  ExprPtr values = values_at(here.path, here.slot);
  if (field.copied_from.empty() || here.slot != 0) {
    return {field.type, false, std::move(values), std::string(name)};
  }
  ExprList all{std::move(values)};
  for (const auto& path : field.copied_from) all.push_back(values_at(path, 0));
  return {field.type, false, expr::call("array_concat", std::move(all)), std::string(name)};
}

FieldValues Lowering::everywhere() const {
  return {FieldType::dynamic, false, expr::call("values_within", {expr::slot(0)})};
}

ExprPtr Lowering::any(const FieldValues& of, const Is& is) {
  if (of.is_fact) return false_if_missing(is(of.values));
  const Slot slot = new_slot();
  return false_if_missing(expr::each(expr::Each::Mode::any, slot, of.values, is(expr::slot(slot))));
}

ExprPtr Lowering::scored_texts(const FieldValues& of) {
  const bool is_words = !of.is_fact && of.type == FieldType::text;
  ExprPtr& texts = texts_[(is_words ? "words of " : "") + render(*of.values)];
  if (texts) return texts;
  if (!is_words) return texts = of.values;
  const Slot slot = new_slot();
  ExprPtr text = expr::call("to_text", {expr::slot(slot)});
  return texts = expr::each(expr::Each::Mode::map, slot, of.values, std::move(text));
}

void Lowering::record_terms(HighlightTerm::Kind kind, const FieldValues& of,
                            std::vector<std::string> texts, bool ends_in_prefix) {
  if (!records_terms()) return;
  if (kind != HighlightTerm::Kind::phrase) std::sort(texts.begin(), texts.end());
  language_.highlight_terms->push_back({.kind = kind,
                                        .field = of.name,
                                        .texts = std::move(texts),
                                        .ends_in_prefix = ends_in_prefix});
}

void Lowering::record_condition(HighlightTerm::Kind kind, const FieldValues& of, const Is& is) {
  if (!records_terms()) return;
  language_.highlight_terms->push_back(
      {.kind = kind, .field = of.name, .condition = is(expr::slot(0))});
}

Result<void> Lowering::enter(const std::string& place, std::size_t depth) {
  if (depth > limits::search_depth_max) {
    return fail(Code::too_large,
                "a query is nested at most " + std::to_string(limits::search_depth_max) + " deep",
                place);
  }
  if (++clauses_ > limits::search_clauses_max) {
    return fail(Code::too_large,
                "a search has at most " + std::to_string(limits::search_clauses_max) + " clauses",
                place);
  }
  return {};
}

ExprPtr has_any_value(Lowering& lowering, const FieldValues& of) {
  if (!of.is_fact) {
    return lowering.any(of, [](const ExprPtr& x) { return expr::call("holds_value", {x}); });
  }
  return expr::call("holds_value", {of.values});
}

ExprPtr at_least(std::size_t count, ExprList conditions) {
  if (count == 0) return expr::literal(true);
  if (count > conditions.size()) return expr::literal(false);
  if (count == conditions.size()) return expr::all_of(std::move(conditions));
  if (count == 1) return expr::any_of(std::move(conditions));
  for (ExprPtr& condition : conditions) {
    condition = expr::call("when", {std::move(condition), expr::literal(1)});
  }
  return expr::call("greater_or_equal",
                    {expr::call("array_length", {expr::call("array", std::move(conditions))}),
                     expr::literal(static_cast<std::int64_t>(count))});
}

Result<std::size_t> minimum_of(const Value& minimum, std::size_t count, const std::string& place) {
  double requested = 0;
  bool is_percentage = false;
  if (minimum.is_number()) {
    requested = minimum.number();
  } else if (minimum.is(Kind::text)) {
    std::string_view text = minimum.text();
    is_percentage = text.ends_with('%');
    if (is_percentage) text.remove_suffix(1);
    int number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size()) {
      return wrong(place, "is a number or a percentage");
    }
    requested = number;
  } else {
    return wrong(place, "is a number or a percentage");
  }
  const auto all = static_cast<double>(count);
  // A percentage is rounded down; a negative number is how many may be missing.
  if (is_percentage) requested = std::trunc(requested * all / 100);
  if (requested < 0) requested += all;
  if (!(requested > 0)) return 0;
  return static_cast<std::size_t>(std::min(requested, all + 1));
}

// --- reading bodies ---

tl::unexpected<Error> wrong(const std::string& place, std::string_view claim) {
  return fail(Code::invalid, place + " " + std::string(claim), place);
}

Result<const Object::Member*> only_member(const Value& body, const std::string& place) {
  if (!body.is(Kind::object)) return wrong(place, "is an object");
  if (body.object().size() != 1) return wrong(place, "has one member");
  return body.object().begin();
}

Result<void> check_members(const Object& object, std::initializer_list<std::string_view> known,
                           const std::string& place) {
  for (const auto& [name, value] : object) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      return wrong(place + "." + name, "is not known");
    }
  }
  return {};
}

Result<bool> boolean_of(const Value& value, const std::string& place) {
  if (value.is(Kind::boolean)) return value.boolean();
  if (value.is(Kind::text) && value.text() == "true") return true;
  if (value.is(Kind::text) && value.text() == "false") return false;
  return wrong(place, "is true or false");
}

Result<std::size_t> count_of(const Value& value, const std::string& place) {
  constexpr double most = 1e9;
  double number = -1;
  if (value.is_number()) number = value.number();
  if (value.is(Kind::text)) {
    const std::string& text = value.text();
    std::uint32_t read = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), read);
    if (end.ec == std::errc() && end.ptr == text.data() + text.size()) number = read;
  }
  if (!(number >= 0) || number > most || std::floor(number) != number) {
    return wrong(place, "is a whole number, not negative");
  }
  return static_cast<std::size_t>(number);
}

namespace {

Result<double> factor_of(std::string_view text, const std::string& place) {
  double factor = -1;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), factor);
  const bool is_whole = end.ec == std::errc() && end.ptr == text.data() + text.size();
  if (is_whole && factor >= 0 && std::isfinite(factor)) return factor;
  return wrong(place, "is a number, not negative");
}

}  // namespace

Result<double> boost_of(const Value& options, const std::string& place) {
  const Value boost = options.member("boost");
  const std::string boost_place = place + ".boost";
  if (boost.is_missing() || boost.is_null()) return 1;
  if (boost.is(Kind::text)) return factor_of(boost.text(), boost_place);
  const double factor = boost.is_number() ? boost.number() : -1;
  if (factor >= 0 && std::isfinite(factor)) return factor;
  return wrong(boost_place, "is a number, not negative");
}

Result<BoostedName> boosted_name(const std::string& text, const std::string& place) {
  const std::size_t mark = text.find('^');
  if (mark == std::string::npos) return BoostedName{text};
  const double boost = TRY(factor_of(std::string_view(text).substr(mark + 1), place));
  return BoostedName{text.substr(0, mark), boost};
}

}  // namespace mayfly::kuzzle::search
