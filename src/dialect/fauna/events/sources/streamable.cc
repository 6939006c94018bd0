#include "dialect/fauna/events/sources/streamable.h"

#include <fmt/format.h>

#include "dialect/fauna/run/functions/closure.h"
#include "dialect/fauna/schema/system.h"

namespace mayfly::fauna {
namespace {

constexpr std::string_view no_ranges =
    "range queries are not supported yet, use `.where()` method instead.";
constexpr std::string_view no_past =
    "streaming is not supported for sets created within an `at()` expression.";
constexpr std::string_view no_system = "only collections and user defined indexes are streamable.";

std::string not_on(std::string_view sets) {
  return fmt::format("streaming is not supported on {}.", sets);
}

// Why a set with that node cannot be followed; empty if it can.
struct Reason {
  std::string operator()(const FqlSet::All& all) const {
    if (find_system(all.collection) != nullptr) return std::string(no_system);
    return all.from || all.to ? std::string(no_ranges) : "";
  }
  std::string operator()(const FqlSet::IndexRead& read) const {
    return read.from || read.to ? std::string(no_ranges) : "";
  }
  std::string operator()(const FqlSet::Items& items) const {
    if (!items.is_single) return not_on("array sets");
    const FqlValue& element = items.items->front();
    if (!element.is(FqlKind::document)) {
      return "streaming on `Set.single()` is only supported if its element is a document.";
    }
    const DocumentHandle& handle = *element.document();
    if (handle.at) return std::string(no_past);
    return find_system(handle.collection) != nullptr ? std::string(no_system) : "";
  }
  std::string operator()(const FqlSet::Where&) const { return ""; }
  std::string operator()(const FqlSet::Mapped&) const { return ""; }
  std::string operator()(const FqlSet::FlatMapped&) const { return not_on("`.flatMap()` sets"); }
  std::string operator()(const FqlSet::Ordered&) const {
    return not_on("sets returned from `.order()`");
  }
  std::string operator()(const FqlSet::Sliced& sliced) const {
    return not_on(sliced.limit ? "sets returned from `.take()`" : "sets returned from `.drop()`");
  }
  std::string operator()(const FqlSet::Reversed&) const {
    return not_on("sets that have been reversed");
  }
  std::string operator()(const FqlSet::Distinct&) const { return not_on("distinct sets"); }
  std::string operator()(const FqlSet::Concat&) const { return not_on("concatenated sets"); }
  std::string operator()(const FqlSet::Sequence&) const {
    return not_on("sets created from `Set.sequence()`");
  }
};

bool is_filter_or_map(const FqlSet& set) {
  return set.as<FqlSet::Where>() != nullptr || set.as<FqlSet::Mapped>() != nullptr;
}

}  // namespace

const FqlSet& followed_set(const FqlSet& set) {
  const FqlSet* base = &set;
  while (is_filter_or_map(*base)) base = input_of(*base).get();
  return *base;
}

const std::string& followed_collection(const FqlSet& base) {
  if (const auto* all = base.as<FqlSet::All>()) return all->collection;
  if (const auto* read = base.as<FqlSet::IndexRead>()) return read->collection;
  return base.as<FqlSet::Items>()->items->front().document()->collection;
}

Result<void> check_streamable(Interpreter& run, const FqlSet& set, std::string_view method) {
  for (const FqlSet* at = &set;; at = input_of(*at).get()) {
    const std::string why = at->at ? std::string(no_past) : std::visit(Reason(), at->node);
    if (!why.empty()) {
      return run.fail("invalid_receiver",
                      fmt::format("can't call `.{}()` because {}", method, why));
    }
    if (!is_filter_or_map(*at)) return {};
  }
}

FieldNames field_names(const Term& term) {
  FieldNames path;
  for (const mayfly::Step& step : term.path.steps) {
    const auto* name = std::get_if<std::string>(&step);
    path.push_back(name != nullptr ? *name : fmt::to_string(std::get<std::size_t>(step)));
  }
  return path;
}

std::optional<std::vector<FieldNames>> covered_fields(const IndexDefinition& index) {
  std::vector<FieldNames> covered;
  for (const auto* terms : {&index.terms, &index.values}) {
    for (const Term& term : *terms) {
      if (term.computed) return std::nullopt;
      covered.push_back(field_names(term));
    }
  }
  for (const FieldNames& path : covered) {
    if (path == FieldNames{"ts"}) return std::nullopt;
  }
  return covered;
}

std::optional<FieldNames> field_names(const FqlValue& accessor) {
  if (!accessor.is(FqlKind::function)) return std::nullopt;
  const auto* closure = dynamic_cast<const Closure*>(accessor.function().get());
  if (closure == nullptr || closure->lambda().parameters.size() != 1) return std::nullopt;
  const auto* chain = closure->lambda().body->as<Chain>();
  const auto* receiver = chain != nullptr ? chain->receiver->as<Variable>() : nullptr;
  if (receiver == nullptr || receiver->slot != 0U) return std::nullopt;
  FieldNames path;
  for (const Step& step : chain->steps) {
    const auto* field = std::get_if<FieldStep>(&step.what);
    if (field == nullptr) return std::nullopt;
    path.push_back(field->name);
  }
  return path;
}

std::string text_of(const FieldNames& path) {
  std::string text;
  for (const std::string& name : path) text += "." + name;
  return text;
}

}  // namespace mayfly::fauna
