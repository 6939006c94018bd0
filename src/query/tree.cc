// The trees of queries and plans (query.h, plan.h): their inputs, expressions and checks.
#include <algorithm>

#include "expr/analyse.h"
#include "query/plan.h"

namespace mayfly::query {
namespace {

// --- the expressions of a node ---

ExprList values_of(const std::vector<SortKey>& keys) {
  ExprList found;
  for (const SortKey& key : keys) found.push_back(key.value);
  return found;
}

template <class Tree>
ExprList expressions_in(const FilterOf<Tree>& n) {
  return {n.condition};
}
template <class Tree>
ExprList expressions_in(const ProjectOf<Tree>& n) {
  return {n.value};
}
template <class Tree>
ExprList expressions_in(const UnnestOf<Tree>& n) {
  return {n.over};
}
ExprList expressions_in(const Sort& n) {
  return values_of(n.keys);
}
ExprList expressions_in(const PlannedSort& n) {
  return values_of(n.keys);
}
template <class Tree>
ExprList expressions_in(const GroupOf<Tree>& n) {
  ExprList found;
  for (const Named& key : n.keys) found.push_back(key.value);
  for (const NamedAggregate& aggregate : n.aggregates) found.push_back(aggregate.value);
  return found;
}
ExprList expressions_in(const Access& n) {
  return n.residual ? ExprList{n.residual} : ExprList{};
}
template <class Node>
ExprList expressions_in(const Node&) {
  return {};
}

// --- inputs ---

template <class Tree>
std::vector<TreePtr<Tree>> inputs_in(const Tree& tree) {
  return std::visit(
      [](const auto& node) -> std::vector<TreePtr<Tree>> {
        if constexpr (requires { node.input; }) {
          return {node.input};
        } else if constexpr (requires { node.inputs; }) {
          return node.inputs;
        } else {
          return {};
        }
      },
      tree.node);
}

template <class Tree, class Rewrite>
TreePtr<Tree> over_rewritten(const TreePtr<Tree>& tree, const Rewrite& rewrite) {
  const auto rewritten = [&](const auto& node) -> TreePtr<Tree> {
    if constexpr (requires { node.input; }) {
      TreePtr<Tree> input = rewrite(node.input);
      if (input == node.input) return tree;
      auto changed = node;
      changed.input = std::move(input);
      return make<Tree>(std::move(changed));
    } else if constexpr (requires { node.inputs; }) {
      auto changed = node;
      for (TreePtr<Tree>& input : changed.inputs) input = rewrite(input);
      return changed.inputs == node.inputs ? tree : make<Tree>(std::move(changed));
    } else {
      return tree;
    }
  };
  return std::visit(rewritten, tree->node);
}

// --- other expressions ---

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

// --- checks ---

bool contains(const std::vector<Slot>& slots, Slot slot) {
  return std::find(slots.begin(), slots.end(), slot) != slots.end();
}

Result<void> check_expression(const ExprPtr& e, const std::vector<Slot>& bound,
                              const SizeBounds& bounds) {
  if (e == nullptr) return fail(Code::internal, "The query has a node without its expression.");
  TRY(check_size(*e, bounds));
  for (const Slot slot : free_slots(*e)) {
    if (slot != 0 && !contains(bound, slot)) {
      return fail(Code::internal,
                  "The query reads slot " + std::to_string(slot) + ", which nothing binds there.");
    }
  }
  return {};
}

// What is to check in one kind of node. `bound` are the slots that its inputs bind; the node adds
// its own.
Result<void> check_node(const Sort& n, std::vector<Slot>&) {
  if (n.keys.size() <= limits::sort_keys_max) return {};
  return fail(Code::too_large, "A query sorts by at most sort_keys_max (" +
                                   std::to_string(limits::sort_keys_max) + ") keys.");
}
template <class Tree>
Result<void> check_node(const UnnestOf<Tree>& n, std::vector<Slot>& bound) {
  if (n.slot == 0 || contains(bound, n.slot)) {
    return fail(Code::internal, "The query binds a slot twice.");
  }
  bound.push_back(n.slot);
  return {};
}
template <class Tree>
Result<void> check_node(const GroupOf<Tree>& n, std::vector<Slot>& bound) {
  bound.clear();
  if (n.slot != 0) bound.push_back(n.slot);
  return {};
}
Result<void> check_node(const Access& n, std::vector<Slot>&) {
  const auto* path = std::get_if<IndexScan>(&n.path);
  const auto reaches_back = [&] { return n.lens.at >= path->index.past_since; };
  if (path == nullptr || (!n.lens.shows_trash && (n.is_current || reaches_back()))) return {};
  return fail(Code::internal, "The plan reads an index through a lens that sees more than it.");
}
template <class Node>
Result<void> check_node(const Node&, std::vector<Slot>&) {
  return {};
}

// The slots that are bound below and by the node.
template <class Tree>
Result<std::vector<Slot>> check_slots(const Tree& tree, const SizeBounds& bounds) {
  std::vector<Slot> bound;
  for (const TreePtr<Tree>& input : inputs_of(tree)) {
    if (input == nullptr) return fail(Code::internal, "The query has a node without its input.");
    const std::vector<Slot> below = TRY(check_slots(*input, bounds));
    bound.insert(bound.end(), below.begin(), below.end());
  }
  for (const ExprPtr& e : expressions_of(tree)) TRY(check_expression(e, bound, bounds));
  TRY(std::visit([&](const auto& node) { return check_node(node, bound); }, tree.node));
  return bound;
}

}  // namespace

std::vector<QueryPtr> inputs_of(const Query& query) {
  return inputs_in(query);
}
std::vector<PlanTreePtr> inputs_of(const PlanTree& tree) {
  return inputs_in(tree);
}
QueryPtr with_inputs(const QueryPtr& query, const Rewrite& rewrite) {
  return over_rewritten(query, rewrite);
}
PlanTreePtr with_inputs(const PlanTreePtr& tree, const RewritePlan& rewrite) {
  return over_rewritten(tree, rewrite);
}

ExprList expressions_of(const Query& query) {
  return std::visit([](const auto& node) { return expressions_in(node); }, query.node);
}
ExprList expressions_of(const PlanTree& tree) {
  return std::visit([](const auto& node) { return expressions_in(node); }, tree.node);
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
Result<void> check(const PlanTree& tree, const SizeBounds& bounds) {
  TRY(check_slots(tree, bounds));
  return {};
}

}  // namespace mayfly::query
