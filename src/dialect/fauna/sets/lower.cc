#include "dialect/fauna/sets/lower.h"

#include <fmt/format.h>

#include <algorithm>

#include "dialect/fauna/run/interpreter.h"
#include "dialect/fauna/run/weight.h"
#include "dialect/fauna/values/stored.h"
#include "dialect/fauna/values/text/ids.h"
#include "query/running/row.h"

namespace mayfly::fauna {
namespace {

using query::QueryPtr;
using query::SortKey;
using query::Ties;

constexpr Slot item_slot = 1;  // the slot of a field's element

// State of the translation of a set to a query: its filters and its order.
struct Lowering {
  Interpreter& run;
  const ReadOptions& options;
  FqlCollectionPtr of = nullptr;
  Lens lens = {};
  std::optional<Instant> at = {};
  QueryPtr rows = nullptr;
  QueryPtr for_all = nullptr;  // the rows without keep_readable(); null: the same
  std::vector<SortKey> order = {};
  bool is_reversed = false;
  bool is_sliced = false;
  bool includes_expired = false;  // for a snapshot: includes documents that have expired since
  bool is_as_of = false;
  bool is_narrowed = false;  // has conditions that an index may serve
  bool is_of_query = false;  // see FqlSet::IndexRead
  std::optional<query::Slice> slice = {};
};

ExprPtr is_null_or_missing(const ExprPtr& value) {
  return expr::equal(expr::if_missing(value, expr::literal(mayfly::Value(nullptr))),
                     expr::literal(mayfly::Value(nullptr)));
}

Field field_of(const Term& term) {
  Field field{Part::body, term.path};
  if (field.render() == ".ts") return Field::metadata("written_at");
  if (field.render() == ".id") return Field::metadata("id");
  if (field.render() == ".ttl") return Field::metadata("ends_at");
  return field;
}

ExprPtr value_of(const Term& term) {
  return term.computed ? term.computed.expression : expr::field(field_of(term));
}

// The condition that any element of the array is equal to the value.
ExprPtr has_element(const ExprPtr& field, const FqlValue& value) {
  const auto lowered = lowered_value(value);
  if (!lowered) return nullptr;
  const ExprPtr operand = expr::literal(*lowered);
  // In this form the index alone can evaluate it (docs/decisions/0032).
  const ExprPtr in_array = expr::each(expr::Each::Mode::any, item_slot, field,
                                      expr::equal(expr::slot(item_slot), operand));
  return value.is_null() ? in_array : expr::any_of({in_array, expr::equal(field, operand)});
}

ExprPtr equals(const Term& term, const FqlValue& value) {
  const ExprPtr field = value_of(term);
  if (term.is_each) return has_element(field, value);
  if (value.is_null()) return is_null_or_missing(field);
  const auto lowered = lowered_value(value);
  return lowered ? expr::equal(field, expr::literal(*lowered)) : nullptr;
}

// The condition that a term is beyond one bound of a range, in the order of the index, or equal to
// it if `may_equal`. `may_be_null`: null and missing values, which are greatest, may also be beyond
// it.
ExprPtr beyond(const Term& term, const FqlValue& bound, bool is_upper, bool may_equal,
               bool may_be_null) {
  const ExprPtr field = value_of(term);
  const bool goes_up = is_upper == term.is_descending;  // towards greater values
  if (bound.is_null()) {
    if (goes_up) return may_equal ? is_null_or_missing(field) : expr::literal(false);
    return may_equal ? expr::literal(true) : expr::negation(is_null_or_missing(field));
  }
  const auto lowered = lowered_value(bound);
  if (!lowered) return nullptr;
  const std::string_view name = goes_up ? (may_equal ? "greater_or_equal" : "greater")
                                        : (may_equal ? "less_or_equal" : "less");
  ExprPtr condition = expr::call(name, {field, expr::literal(*lowered)});
  if (!goes_up || !may_be_null) return condition;
  return expr::any_of({std::move(condition), is_null_or_missing(field)});
}

// (a, b) bounds the values lexicographically: b matters only where the first value equals a.
ExprPtr bounded(const std::vector<Term>& values, const FqlArray& bound, bool is_upper,
                bool may_be_null, std::size_t i = 0) {
  if (i >= bound.size() || i >= values.size()) return expr::literal(true);
  const bool is_last = i + 1 == bound.size();
  ExprPtr here = beyond(values[i], bound[i], is_upper, is_last, may_be_null || i > 0);
  if (is_last || here == nullptr) return here;
  ExprPtr same = equals(values[i], bound[i]);
  ExprPtr rest = bounded(values, bound, is_upper, may_be_null, i + 1);
  if (same == nullptr || rest == nullptr) return nullptr;
  return expr::any_of({std::move(here), expr::all_of({std::move(same), std::move(rest)})});
}

// Compares with the id as a number if it is one.
ExprPtr bounded_id(const FqlValue& id, std::string_view comparison) {
  const auto number = id_number(id.id());
  return expr::call(comparison,
                    {expr::metadata("id_number"),
                     expr::literal(number ? mayfly::Value(*number) : mayfly::Value(id.id()))});
}

// An index without values is ordered by id.
ExprPtr from_condition(const IndexDefinition& index, const FqlArray& from, bool may_be_null) {
  return index.values.empty() ? bounded_id(from.front(), "greater_or_equal")
                              : bounded(index.values, from, false, may_be_null);
}

ExprPtr to_condition(const IndexDefinition& index, const FqlArray& to, bool may_be_null) {
  return index.values.empty() ? bounded_id(to.front(), "less_or_equal")
                              : bounded(index.values, to, true, may_be_null);
}

// Adds the condition that the principal may read the document, unless it may read all.
Result<void> keep_readable(Lowering& lowering) {
  Interpreter& run = lowering.run;
  const bool is_of_query = lowering.is_of_query;
  const Permissions::OwnRightsScope own(run.permissions(), is_of_query);
  if (run.permissions().is_unrestricted()) return {};
  const FqlCollectionPtr of = lowering.of;
  const auto at = lowering.at;
  if (TRY(run.permissions().reading(*of, at)).is_always) return {};
  const auto may_read = [&run, of, at, is_of_query](const Scope& scope,
                                                    std::span<const mayfly::Value>,
                                                    Meter&) -> Result<mayfly::Value> {
    const Permissions::OwnRightsScope as(run.permissions(), is_of_query);
    const Document* const document = query::document_of(scope);
    if (document == nullptr) return mayfly::Value(false);
    DocumentHandle handle = run.handle_of(*of, *document);
    handle.at = at;
    run.cache_document(handle, *document);
    return mayfly::Value(TRY(run.permissions().may_read(*of, handle, *document)));
  };
  lowering.for_all = lowering.rows;
  lowering.rows =
      query::filter(lowering.rows, expr::foreign("may_read", mayfly::Effect::reads, may_read, {}));
  return {};
}

Result<bool> begin(Lowering& lowering, const std::string& collection,
                   const std::optional<Instant>& at) {
  Interpreter& run = lowering.run;
  lowering.of = TRY(run.usable_collection(collection));
  lowering.at = at;
  lowering.is_as_of = at.has_value();
  if (!lowering.of->core) {
    lowering.rows = query::values({});
    return true;
  }
  if (at || !lowering.options.snapshot) {
    lowering.lens = TRY(run.reading().lens(*lowering.of, at));
  } else {
    const Lens then = TRY(run.reading().lens(*lowering.of, lowering.options.snapshot));
    // A slice counts rows, so it must include those that have expired since.
    lowering.includes_expired = lowering.options.includes_expired || lowering.is_sliced;
    lowering.lens =
        lowering.includes_expired ? then : Lens::page(*lowering.options.snapshot, run.instant());
    lowering.at = lowering.options.snapshot;
  }
  // Collections of other APIs may be partitioned; a set has the documents of all partitions.
  const bool is_partitioned = lowering.of->core->body.is_partitioned();
  lowering.rows = query::scan(lowering.of->core, lowering.lens,
                              is_partitioned ? std::nullopt : std::optional(Bytes()));
  return true;
}

void filter(Lowering& lowering, ExprPtr condition) {
  if (lowering.for_all) lowering.for_all = query::filter(lowering.for_all, condition);
  lowering.rows = query::filter(lowering.rows, std::move(condition));
}

Result<bool> lower(Lowering& lowering, const FqlSet& set);

Result<bool> lower_node(Lowering& lowering, const FqlSet& set, const FqlSet::All& all) {
  TRY(begin(lowering, all.collection, set.at));
  lowering.is_of_query = all.is_of_query;
  if (all.from) filter(lowering, bounded_id(*all.from, "greater_or_equal"));
  if (all.to) filter(lowering, bounded_id(*all.to, "less_or_equal"));
  if (const SystemCollection* system = lowering.of->system) filter(lowering, id_is_of(*system));
  TRY(keep_readable(lowering));
  return true;
}

Result<void> count_bounds(Interpreter& run, const FqlSet::IndexRead& read) {
  for (const FqlValue& term : read.terms) TRY(count_copy(run, term));
  for (const auto* range : {&read.from, &read.to}) {
    for (const FqlValue& bound : range->value_or(FqlArray())) TRY(count_copy(run, bound));
  }
  return {};
}

// A cursor, or a set that this query has made, may outlive its index.
Result<const IndexDefinition*> index_of(const Lowering& lowering, const FqlSet::IndexRead& read) {
  const IndexDefinition* const there = lowering.of->definition->find_index(read.index);
  if (there != nullptr && there->terms.size() == read.terms.size()) return there;
  return lowering.run.fail(
      "invalid_index_invocation",
      fmt::format("The index `{}.{}` is not queryable.", read.collection, read.index));
}

// A null condition means that no document can match.
ExprList index_conditions(const IndexDefinition& index, const FqlSet::IndexRead& read) {
  ExprList conditions;
  for (std::size_t i = 0; i < read.terms.size(); ++i) {
    conditions.push_back(equals(index.terms[i], read.terms[i]));
  }
  // If the other bound excludes null, this one does not have to include it.
  const auto leaves_out = [](const std::optional<FqlArray>& other) {
    return other && !other->empty() && !other->front().is_null();
  };
  if (read.from) {
    conditions.push_back(from_condition(index, *read.from, !leaves_out(read.to)));
  }
  if (read.to) {
    conditions.push_back(to_condition(index, *read.to, !leaves_out(read.from)));
  }
  return conditions;
}

Result<bool> lower_node(Lowering& lowering, const FqlSet& set, const FqlSet::IndexRead& read) {
  TRY(begin(lowering, read.collection, set.at));
  lowering.is_of_query = read.is_of_query;
  Interpreter& run = lowering.run;
  const Permissions::OwnRightsScope own(run.permissions(), read.is_of_query);
  if (!set.at && TRY(run.permissions().reading(*lowering.of, {})).is_never()) {
    return run.fail_denied_reading(*lowering.of);
  }
  TRY(count_bounds(run, read));
  const IndexDefinition& index = *TRY(index_of(lowering, read));
  ExprList conditions = index_conditions(index, read);
  // Documents without any of the terms are not in the index, and values that cannot be stored match
  // nothing.
  const bool are_all_null =
      !read.terms.empty() && std::ranges::all_of(read.terms, &FqlValue::is_null);
  if (are_all_null || std::ranges::find(conditions, nullptr) != conditions.end()) {
    conditions = {expr::literal(false)};
  }
  if (!conditions.empty()) {
    filter(lowering, expr::all_of(std::move(conditions)));
    lowering.is_narrowed = true;
  }
  TRY(keep_readable(lowering));
  for (const Term& value : index.values) {
    lowering.order.push_back({value_of(value), value.is_descending});
  }
  return true;
}

// Whether it may be read with the rights of the set's maker and with the current rights.
Result<bool> is_readable(Interpreter& run, bool is_of_query, const FqlCollection& of,
                         const DocumentHandle& handle, const Document& document) {
  if (!TRY(run.permissions().may_read(of, handle, document))) return false;
  const Permissions::OwnRightsScope own(run.permissions(), is_of_query);
  return run.permissions().may_read(of, handle, document);
}

// A condition that calls the predicate for each row.
ExprPtr called(Lowering& lowering, const CallablePtr& predicate) {
  Interpreter& run = lowering.run;
  const FqlCollectionPtr of = lowering.of;
  const auto at = lowering.at;
  const bool is_of_query = lowering.is_of_query;
  const auto call = [&run, of, at, predicate, is_of_query](const Scope& scope,
                                                           std::span<const mayfly::Value>,
                                                           Meter&) -> Result<mayfly::Value> {
    const Document* const document = query::document_of(scope);
    if (document == nullptr) return mayfly::Value(false);
    DocumentHandle handle = run.handle_of(*of, *document);
    handle.at = at;
    run.cache_document(handle, *document);
    // The planner may evaluate this before the condition of the roles.
    if (!TRY(is_readable(run, is_of_query, *of, handle, *document))) {
      return mayfly::Value(false);
    }
    const Run::EffectScope reads_only(run, {Effect::read, "set functions"});
    const FqlValue argument(std::move(handle));
    return mayfly::Value(TRY(run.call_predicate(*predicate, "pred", std::span(&argument, 1))));
  };
  return expr::foreign("where", mayfly::Effect::reads, call, {});
}

Result<bool> lower_node(Lowering& lowering, const FqlSet&, const FqlSet::Where& where) {
  if (!TRY(lower(lowering, *where.in)) || lowering.slice) return false;
  ExprPtr condition = lower_predicate(lowering.run, *where.predicate, *lowering.of);
  // A condition that may fail prevents the planner from using an index for the others. So a
  // separate reader applies it to the documents that the index finds.
  if (condition == nullptr && lowering.is_narrowed) return false;
  lowering.is_narrowed = lowering.is_narrowed || condition != nullptr;
  if (condition == nullptr) condition = called(lowering, where.predicate);
  filter(lowering, std::move(condition));
  return true;
}

Result<bool> lower_node(Lowering& lowering, const FqlSet&, const FqlSet::Ordered& ordered) {
  if (!TRY(lower(lowering, *ordered.in)) || lowering.slice || lowering.is_reversed) return false;
  std::vector<SortKey> keys;
  for (const SetOrdering& ordering : ordered.keys) {
    const auto field =
        ordering.by ? lowered_field(lowering.run, *ordering.by, *lowering.of) : std::nullopt;
    if (!field) return false;
    keys.push_back({expr::field(*field), ordering.is_descending});
  }
  lowering.order.insert(lowering.order.begin(), keys.begin(), keys.end());
  return true;
}

Result<bool> lower_node(Lowering& lowering, const FqlSet&, const FqlSet::Sliced& sliced) {
  lowering.is_sliced = true;
  if (!TRY(lower(lowering, *sliced.in)) || lowering.slice) return false;
  lowering.slice = query::Slice{nullptr, sliced.offset, sliced.limit};
  return true;
}

Result<bool> lower_node(Lowering& lowering, const FqlSet&, const FqlSet::Reversed& reversed) {
  if (!TRY(lower(lowering, *reversed.in)) || lowering.slice) return false;
  lowering.is_reversed = !lowering.is_reversed;
  return true;
}

template <class Node>
Result<bool> lower_node(Lowering&, const FqlSet&, const Node&) {
  return false;
}

Result<bool> lower(Lowering& lowering, const FqlSet& set) {
  return std::visit([&](const auto& node) { return lower_node(lowering, set, node); }, set.node);
}

// Null and missing values come last, or first in descending order.
std::vector<SortKey> sort_keys(const Lowering& lowering) {
  std::vector<SortKey> keys;
  for (const SortKey& key : lowering.order) {
    // A repeated key has no effect.
    const auto is_it = [&](const SortKey& one) { return are_same(*one.value, *key.value); };
    if (std::any_of(keys.begin(), keys.end(), is_it)) continue;
    keys.push_back({key.value, key.is_descending != lowering.is_reversed, true});
  }
  // Collections that other APIs have created have no index of ids; there, ids are ordered as texts.
  const Collection& core = *lowering.of->core;
  const bool has_numbers = core.find_index(ids_index) != nullptr;
  keys.push_back({expr::metadata(has_numbers ? "id_number" : "id"), lowering.is_reversed});
  return keys;
}

// Adds the sort and the slice.
QueryPtr finished(const Lowering& lowering, QueryPtr rows) {
  if (lowering.of->core) rows = query::sort(std::move(rows), sort_keys(lowering));
  if (!lowering.slice) return rows;
  return query::slice(std::move(rows), lowering.slice->offset, lowering.slice->limit);
}

}  // namespace

Result<std::optional<LoweredSet>> lower_set(Interpreter& run, const SetPtr& set,
                                            const ReadOptions& options) {
  Lowering lowering{run, options};
  if (!TRY(lower(lowering, *set))) return std::nullopt;
  return LoweredSet{finished(lowering, lowering.rows),
                    lowering.of,
                    lowering.at,
                    lowering.for_all ? finished(lowering, lowering.for_all) : nullptr,
                    lowering.includes_expired,
                    lowering.is_as_of};
}

ExprPtr id_is_of(const SystemCollection& of) {
  const ExprPtr id = expr::metadata("id");
  return expr::all_of({expr::call("greater_or_equal", {id, expr::literal(system_prefix(of))}),
                       expr::less(id, expr::literal(system_end(of)))});
}

std::optional<mayfly::Value> lowered_value(const FqlValue& value) {
  auto stored = to_stored(value);
  return stored ? std::optional(*std::move(stored)) : std::nullopt;
}

}  // namespace mayfly::fauna
