#include "dialect/cosmos/sql/ordering.h"

#include <algorithm>

#include "dialect/cosmos/containers/keys/key_path.h"
#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/sql/functions/full_text.h"
#include "dialect/cosmos/sql/lowering/lowering.h"

namespace mayfly::cosmos::sql {
namespace {

struct OrderedPath {
  std::string path;  // "/a/b"
  bool is_descending = false;
};

Value policy_of(const Container& container) {
  const Value* policy = container.definition.shown.find("indexingPolicy");
  return policy == nullptr ? Value() : *policy;
}

std::string row_text(const Value& row, std::string_view name) {
  const Value text = row.member(name);
  return text.is(Kind::text) ? text.text() : std::string();
}

bool serves(const Value& composite, const std::vector<OrderedPath>& ordered, bool is_opposite) {
  if (!composite.is(Kind::array) || composite.array().size() != ordered.size()) return false;
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    const Value& row = composite.array()[i];
    const bool is_descending = (row_text(row, "order") == "descending") != is_opposite;
    if (plain_key_path(row_text(row, "path")) != ordered[i].path ||
        is_descending != ordered[i].is_descending) {
      return false;
    }
  }
  return true;
}

bool is_path(const OrderItem& item) {
  const Steps path = steps_of(item.value);
  return path.from->as<Name>() != nullptr && !path.steps.empty();
}

// Whether it orders by one distance or full text score, which needs no index.
bool is_computed_order(const Ordering& ordering) {
  const Scalar& first = *ordering.items.front().value;
  return ordering.items.size() == 1 && (is_vector_distance(first) || is_known_score(first));
}

OrderedPath ordered_path_of(const OrderItem& item) {
  return {render_key_path(Path{steps_of(item.value).steps}),
          item.direction == Direction::descending};
}

bool is_computed(const Container& container, std::string_view path) {
  const Value* computed = container.definition.shown.find("computedProperties");
  if (computed == nullptr || !computed->is(Kind::array)) return false;
  return std::any_of(computed->array().begin(), computed->array().end(),
                     [path](const Value& row) { return "/" + row_text(row, "name") == path; });
}

ScalarPtr with_names(const ScalarPtr& path, const Object& parameters) {
  if (const auto* member = path->as<Member>()) {
    Member named = *member;
    named.of = with_names(member->of, parameters);
    return named.of == member->of ? path : make_scalar(std::move(named), path->range);
  }
  const auto* index = path->as<Index>();
  if (index == nullptr) return path;
  Index named{with_names(index->of, parameters), index->index};
  const auto* parameter = index->index->as<Parameter>();
  const Value* name = parameter == nullptr ? nullptr : parameters.find(parameter->name);
  if (name != nullptr && name->is(Kind::text)) {
    named.index = make_scalar(Literal{*name}, index->index->range);
  }
  const bool is_same = named.of == index->of && named.index == index->index;
  return is_same ? path : make_scalar(std::move(named), path->range);
}

}  // namespace

QueryPtr with_named_order(const QueryPtr& query, const Object& parameters) {
  if (!query->order_by || parameters.empty()) return query;
  Query named = *query;
  for (OrderItem& item : named.order_by->items) item.value = with_names(item.value, parameters);
  return make_query(std::move(named));
}

Result<void> check_order_items(const Ordering& ordering, std::string_view text) {
  constexpr int no_path = 2206;
  if (is_computed_order(ordering) ||
      std::all_of(ordering.items.begin(), ordering.items.end(), is_path)) {
    return {};
  }
  return tl::unexpected(
      refusal(Code::invalid, text,
              {Value(no_path),
               "Unsupported ORDER BY clause. ORDER BY item expression could not be mapped to a "
               "document path."}));
}

bool sorts_descending(const OrderItem& item, const QueryInput& input, const Object& definition) {
  if (item.direction != Direction::unstated) return item.direction == Direction::descending;
  const auto* call = item.value->as<ScalarCall>();
  return call != nullptr && is_vector_call(*call) &&
         vector_metric(*call, input, definition) != "euclidean";
}

Result<OrderCheck> check_ordering(const Container& container, const Ordering& ordering,
                                  std::string_view text) {
  TRY(check_order_items(ordering, text));
  if (is_computed_order(ordering)) return OrderCheck{};
  std::vector<OrderedPath> ordered;
  for (const OrderItem& item : ordering.items) ordered.push_back(ordered_path_of(item));
  const Value policy = policy_of(container);
  if (ordered.size() > 1) {
    const Value composites = policy.member("compositeIndexes");
    const bool is_served =
        composites.is(Kind::array) &&
        std::any_of(composites.array().begin(), composites.array().end(), [&](const Value& row) {
          return serves(row, ordered, false) || serves(row, ordered, true);
        });
    if (is_served) return OrderCheck{};
    return tl::unexpected(bad_request(
        "The order by query does not have a corresponding composite index that it can be "
        "served from."));
  }
  const std::string& path = ordered.front().path;
  if (path == "/_ts" || path == "/_rid" || path == "/_self") return OrderCheck{};
  if (is_computed(container, path)) return OrderCheck{.keeps_missing = false};
  if (!is_included(policy, path)) {
    return tl::unexpected(
        bad_request("The index path corresponding to the specified order-by item is excluded."));
  }
  return OrderCheck{.keeps_missing = is_included_by_name(policy, path)};
}

}  // namespace mayfly::cosmos::sql
