#include "query/query.h"

#include <algorithm>

#include "base/check.h"
#include "expr/analyse.h"

namespace mayfly::query {
namespace {

Result<void> check_expression(const ExprPtr& e, const std::vector<Slot>& bound,
                              const SizeBounds& bounds) {
  if (e == nullptr) return fail(Code::internal, "The query has a node without its expression.");
  TRY(check_size(*e, bounds));
  for (const Slot slot : free_slots(*e)) {
    if (slot != 0 && std::find(bound.begin(), bound.end(), slot) == bound.end()) {
      return fail(Code::internal,
                  "The query reads slot " + std::to_string(slot) + ", which nothing binds there.");
    }
  }
  return {};
}

ExprList expressions_of(const Filter& n) {
  return {n.condition};
}
ExprList expressions_of(const Project& n) {
  return {n.value};
}
ExprList expressions_of(const Unnest& n) {
  return {n.over};
}
ExprList expressions_of(const Sort& n) {
  ExprList found;
  for (const SortKey& key : n.keys) found.push_back(key.value);
  return found;
}
ExprList expressions_of(const Group& n) {
  ExprList found;
  for (const Named& key : n.keys) found.push_back(key.value);
  for (const NamedAggregate& aggregate : n.aggregates) found.push_back(aggregate.value);
  return found;
}
ExprList expressions_of(const Access& n) {
  return n.residual ? ExprList{n.residual} : ExprList{};
}
template <class Node>
ExprList expressions_of(const Node&) {
  return {};
}

}  // namespace

ExprList expressions_of(const Query& query) {
  return std::visit([](const auto& node) { return expressions_of(node); }, query.node);
}

namespace {

// The slots that are bound below and by the node.
Result<std::vector<Slot>> check_slots(const Query& query, const SizeBounds& bounds) {
  std::vector<Slot> bound;
  for (const QueryPtr& input : inputs_of(query)) {
    if (input == nullptr) return fail(Code::internal, "The query has a node without its input.");
    const std::vector<Slot> below = TRY(check_slots(*input, bounds));
    bound.insert(bound.end(), below.begin(), below.end());
  }
  for (const ExprPtr& e : expressions_of(query)) TRY(check_expression(e, bound, bounds));
  if (const auto* sort = query.as<Sort>(); sort && sort->keys.size() > limits::sort_keys_max) {
    return fail(Code::too_large, "A query sorts by at most sort_keys_max (" +
                                     std::to_string(limits::sort_keys_max) + ") keys.");
  }
  if (const auto* unnest = query.as<Unnest>()) {
    if (unnest->slot == 0 || std::find(bound.begin(), bound.end(), unnest->slot) != bound.end()) {
      return fail(Code::internal, "The query binds a slot twice.");
    }
    bound.push_back(unnest->slot);
  }
  if (const auto* group = query.as<Group>()) {
    bound.clear();
    if (group->slot != 0) bound.push_back(group->slot);
  }
  return bound;
}

void rewrite_in(Filter& n, const RewriteExpr& r) {
  n.condition = r(n.condition);
}
void rewrite_in(Project& n, const RewriteExpr& r) {
  n.value = r(n.value);
}
void rewrite_in(Unnest& n, const RewriteExpr& r) {
  n.over = r(n.over);
}
void rewrite_in(Sort& n, const RewriteExpr& r) {
  for (SortKey& key : n.keys) key.value = r(key.value);
}
void rewrite_in(Group& n, const RewriteExpr& r) {
  for (Named& key : n.keys) key.value = r(key.value);
  for (NamedAggregate& aggregate : n.aggregates) aggregate.value = r(aggregate.value);
}
void rewrite_in(Access& n, const RewriteExpr& r) {
  if (n.residual) n.residual = r(n.residual);
}

}  // namespace

QueryPtr scan(CollectionPtr collection, const Lens& lens, std::optional<Bytes> routing) {
  CHECK(collection != nullptr);
  return make(Scan{std::move(collection), lens, std::move(routing)});
}
QueryPtr filter(QueryPtr input, ExprPtr condition) {
  return make(Filter{std::move(input), std::move(condition)});
}
QueryPtr project(QueryPtr input, ExprPtr value) {
  return make(Project{std::move(input), std::move(value)});
}
QueryPtr unnest(QueryPtr input, Slot slot, ExprPtr over) {
  return make(Unnest{std::move(input), slot, std::move(over)});
}
QueryPtr sort(QueryPtr input, std::vector<SortKey> keys, Ties ties) {
  return make(Sort{std::move(input), std::move(keys), ties, std::nullopt});
}
QueryPtr group(QueryPtr input, std::vector<Named> keys, std::vector<NamedAggregate> aggregates,
               Slot slot) {
  return make(Group{std::move(input), std::move(keys), std::move(aggregates), slot});
}
QueryPtr slice(QueryPtr input, std::size_t offset, std::optional<std::size_t> limit) {
  return make(Slice{std::move(input), offset, limit});
}
QueryPtr distinct(QueryPtr input) {
  return make(Distinct{std::move(input), false});
}
QueryPtr concat(std::vector<QueryPtr> inputs) {
  return make(Concat{std::move(inputs)});
}
QueryPtr values(std::vector<Value> rows) {
  return make(Values{std::move(rows)});
}
QueryPtr outer() {
  return make(Outer{});
}
QueryPtr bounded(const QueryPtr& query, const SizeBounds& bounds) {
  return std::make_shared<const Query>(Query{query->node, bounds});
}

std::vector<QueryPtr> inputs_of(const Query& query) {
  return std::visit(
      [](const auto& node) -> std::vector<QueryPtr> {
        if constexpr (requires { node.input; }) {
          return {node.input};
        } else if constexpr (requires { node.inputs; }) {
          return node.inputs;
        } else {
          return {};
        }
      },
      query.node);
}

QueryPtr with_inputs(const QueryPtr& query, const Rewrite& rewrite) {
  const auto rewritten = [&](const auto& node) -> QueryPtr {
    if constexpr (requires { node.input; }) {
      QueryPtr input = rewrite(node.input);
      if (input == node.input) return query;
      auto changed = node;
      changed.input = std::move(input);
      return make(std::move(changed));
    } else {
      auto changed = node;
      for (QueryPtr& input : changed.inputs) input = rewrite(input);
      return changed.inputs == node.inputs ? query : make(std::move(changed));
    }
  };
  return std::visit(
      [&](const auto& node) -> QueryPtr {
        if constexpr (requires { node.input; } || requires { node.inputs; }) {
          return rewritten(node);
        } else {
          return query;
        }
      },
      query->node);
}

QueryPtr with_expressions(const QueryPtr& query, const RewriteExpr& rewrite) {
  bool changed = false;
  const RewriteExpr tracking = [&](const ExprPtr& e) {
    ExprPtr with = rewrite(e);
    changed = changed || with != e;
    return with;
  };
  return std::visit(
      [&](const auto& node) -> QueryPtr {
        if constexpr (requires(std::remove_cvref_t<decltype(node)>& n) {
                        rewrite_in(n, tracking);
                      }) {
          auto copy = node;
          rewrite_in(copy, tracking);
          return changed ? make(std::move(copy)) : query;
        } else {
          return query;
        }
      },
      query->node);
}

Result<void> check(const Query& query, const SizeBounds& bounds) {
  TRY(check_slots(query, bounds));
  return {};
}

}  // namespace mayfly::query
