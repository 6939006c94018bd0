#include "dialect/kuzzle/koncorde/nodes.h"

#include <algorithm>
#include <map>

#include "dialect/kuzzle/koncorde/limits.h"
#include "value/json/json.h"

namespace mayfly::kuzzle::koncorde {
namespace {

using expr::call;
using expr::literal;

ExprPtr or_false(ExprPtr condition) {
  return expr::if_missing(std::move(condition), literal(false));
}

std::string_view name_of(Leaf::Kind kind) {
  switch (kind) {
    case Leaf::Kind::equals: return "equals";
    case Leaf::Kind::exists: return "exists";
    case Leaf::Kind::holds: return "holds";
    case Leaf::Kind::range: return "range";
    case Leaf::Kind::regexp: return "regexp";
    case Leaf::Kind::ids: return "ids";
    case Leaf::Kind::part: return "part";
    case Leaf::Kind::place: return "place";
    case Leaf::Kind::item: return "item";
    case Leaf::Kind::nothing: return "nothing";
  }
  return "";
}

Value value_of(const std::optional<Leaf::Bound>& bound) {
  return bound ? Value(Array{Value(bound->value), Value(bound->is_included)}) : Value(nullptr);
}

std::string text_of(const Leaf& leaf) {
  Array parts{Value(name_of(leaf.kind)), Value(leaf.name),
              Value(Array(leaf.values.begin(), leaf.values.end()))};
  if (leaf.kind == Leaf::Kind::range) {
    parts.push_back(value_of(leaf.from));
    parts.push_back(value_of(leaf.to));
  }
  return (leaf.is_negated ? "!" : "") + render_json(Value(std::move(parts)));
}

// The distinct values, ordered by their texts.
void settle(std::vector<Value>& values) {
  std::map<std::string, Value> by_text;
  for (Value& value : values) by_text.emplace(render_json(value), std::move(value));
  values.clear();
  for (auto& [text, value] : by_text) values.push_back(std::move(value));
}

ExprPtr is_one_of(const ExprPtr& field, const std::vector<Value>& values) {
  if (values.size() == 1) return or_false(expr::equal(field, literal(values.front())));
  return or_false(call("in", {field, literal(Array(values.begin(), values.end()))}));
}

ExprPtr is_within(const ExprPtr& field, const Leaf& leaf) {
  ExprList all{call("is_number", {field})};
  if (leaf.from) {
    const auto* function = leaf.from->is_included ? "greater_or_equal" : "greater";
    all.push_back(call(function, {field, literal(leaf.from->value)}));
  }
  if (leaf.to) {
    const auto* function = leaf.to->is_included ? "less_or_equal" : "less";
    all.push_back(call(function, {field, literal(leaf.to->value)}));
  }
  return or_false(expr::all_of(std::move(all)));
}

// A text that is too long for that matches no pattern.
ExprPtr matches(const ExprPtr& field, const Leaf& leaf) {
  const auto longest = static_cast<std::int64_t>(limits::koncorde_pattern_text_max);
  return or_false(
      expr::all_of({call("less_or_equal", {call("length", {field}), literal(longest)}),
                    call("matches", {field, literal(leaf.values[0]), literal(leaf.values[1])})}));
}

ExprPtr plain_condition(const Leaf& leaf) {
  const ExprPtr field = field_at(leaf.path, leaf.slot);
  switch (leaf.kind) {
    case Leaf::Kind::equals: return is_one_of(field, leaf.values);
    case Leaf::Kind::exists:
      return expr::all_of({call("exists", {field}), expr::negation(call("is_null", {field}))});
    case Leaf::Kind::holds:
      return or_false(call("array_holds", {field, literal(leaf.values.front())}));
    case Leaf::Kind::range: return is_within(field, leaf);
    case Leaf::Kind::regexp: return matches(field, leaf);
    case Leaf::Kind::ids: return is_one_of(expr::metadata("id"), leaf.values);
    case Leaf::Kind::nothing: return literal(false);
    case Leaf::Kind::part:
    case Leaf::Kind::place:
    case Leaf::Kind::item: return leaf.condition;
  }
  return literal(false);
}

}  // namespace

ExprPtr condition_of_value(const Leaf& leaf) {
  Leaf alone = leaf;
  if (alone.kind == Leaf::Kind::holds) alone.kind = Leaf::Kind::equals;
  alone.path.clear();
  alone.slot = 0;
  return plain_condition(alone);
}

namespace {

NodePtr make(Node node) {
  return std::make_shared<const Node>(std::move(node));
}

// The canonical And or Or: operands flat, sorted and unique. `unit` is the neutral operand,
// `decides` the one that decides the result.
NodePtr junction(Node::Kind kind, std::vector<NodePtr> operands, const NodePtr& unit,
                 const NodePtr& decides);

// Equalities of one field are merged into one leaf with several values: under Or directly, under
// And in negated form.
void gather_values(Node::Kind kind, std::vector<NodePtr>& operands) {
  const bool negated = kind == Node::Kind::every;
  std::map<std::string, Leaf> gathered;
  std::vector<NodePtr> rest;
  for (NodePtr& operand : operands) {
    const Leaf& leaf = operand->leaf;
    const bool is_set = operand->kind == Node::Kind::leaf && leaf.is_negated == negated &&
                        (leaf.kind == Leaf::Kind::equals || leaf.kind == Leaf::Kind::ids);
    if (!is_set) {
      rest.push_back(std::move(operand));
      continue;
    }
    const auto [found, is_new] = gathered.emplace(leaf.name, leaf);
    if (is_new) continue;
    found->second.values.insert(found->second.values.end(), leaf.values.begin(), leaf.values.end());
  }
  operands = std::move(rest);
  for (auto& [name, leaf] : gathered) operands.push_back(make_leaf(std::move(leaf)));
}

NodePtr junction(Node::Kind kind, std::vector<NodePtr> operands, const NodePtr& unit,
                 const NodePtr& decides) {
  std::vector<NodePtr> flat;
  for (NodePtr& operand : operands) {
    if (operand->kind == kind) {
      flat.insert(flat.end(), operand->operands.begin(), operand->operands.end());
    } else if (operand->text == decides->text) {
      return decides;
    } else if (operand->text != unit->text) {
      flat.push_back(std::move(operand));
    }
  }
  gather_values(kind, flat);
  std::sort(flat.begin(), flat.end(),
            [](const NodePtr& a, const NodePtr& b) { return a->text < b->text; });
  flat.erase(std::unique(flat.begin(), flat.end(),
                         [](const NodePtr& a, const NodePtr& b) { return a->text == b->text; }),
             flat.end());
  if (flat.empty()) return unit;
  if (flat.size() == 1) return flat.front();
  std::string text = kind == Node::Kind::every ? "and(" : "or(";
  for (const NodePtr& operand : flat) text += operand->text + " ";
  text.back() = ')';
  return make({kind, {}, std::move(flat), std::move(text)});
}

}  // namespace

NodePtr every_document() {
  static const NodePtr node = make({Node::Kind::all, {}, {}, "all"});
  return node;
}

NodePtr no_document() {
  static const NodePtr node = make_leaf({.kind = Leaf::Kind::nothing});
  return node;
}

NodePtr make_leaf(Leaf leaf) {
  if (leaf.kind == Leaf::Kind::equals || leaf.kind == Leaf::Kind::ids) settle(leaf.values);
  leaf.condition = plain_condition(leaf);
  std::string text = text_of(leaf);
  return make({Node::Kind::leaf, std::move(leaf), {}, std::move(text)});
}

NodePtr all_of(std::vector<NodePtr> operands) {
  return junction(Node::Kind::every, std::move(operands), every_document(), no_document());
}

NodePtr any_of(std::vector<NodePtr> operands) {
  return junction(Node::Kind::any, std::move(operands), no_document(), every_document());
}

NodePtr negation(const NodePtr& node) {
  if (node->kind == Node::Kind::all) return no_document();
  if (node->kind == Node::Kind::leaf) {
    if (node->leaf.kind == Leaf::Kind::nothing) return every_document();
    Leaf leaf = node->leaf;
    leaf.is_negated = !leaf.is_negated;
    return make_leaf(std::move(leaf));
  }
  std::vector<NodePtr> operands;
  for (const NodePtr& operand : node->operands) operands.push_back(negation(operand));
  return node->kind == Node::Kind::every ? any_of(std::move(operands))
                                         : all_of(std::move(operands));
}

ExprPtr field_at(const std::vector<std::string>& path, Slot slot) {
  if (slot == 0 && path.size() == 1 && path.front() == "_id") return expr::metadata("id");
  if (path.empty()) return expr::slot(slot);
  Field field;
  for (const std::string& step : path) field.path.steps.emplace_back(step);
  return expr::field(std::move(field), slot);
}

std::vector<std::string> path_of(std::string_view name) {
  std::vector<std::string> steps;
  while (true) {
    const std::size_t dot = name.find('.');
    steps.emplace_back(name.substr(0, dot));
    if (dot == std::string_view::npos) return steps;
    name.remove_prefix(dot + 1);
  }
}

ExprPtr condition_of(const Node& node) {
  if (node.kind == Node::Kind::all) return literal(true);
  if (node.kind == Node::Kind::leaf) {
    return node.leaf.is_negated ? expr::negation(node.leaf.condition) : node.leaf.condition;
  }
  ExprList operands;
  for (const NodePtr& operand : node.operands) operands.push_back(condition_of(*operand));
  return node.kind == Node::Kind::every ? expr::all_of(std::move(operands))
                                        : expr::any_of(std::move(operands));
}

}  // namespace mayfly::kuzzle::koncorde
