#include "dialect/cosmos/sql/ast.h"

#include <algorithm>

namespace mayfly::cosmos::sql {
namespace {

using Act = std::function<void(const ScalarPtr&)>;

// Visits the direct children of each kind of node.
struct Children {
  const Act& act;

  void operator()(const Literal&) const {}
  void operator()(const Parameter&) const {}
  void operator()(const Name&) const {}
  void operator()(const OrderByFilter&) const {}
  void operator()(const Subquery&) const {}
  void operator()(const Member& node) const { act(node.of); }
  void operator()(const Index& node) const {
    act(node.of);
    act(node.index);
  }
  void operator()(const ArrayOf& node) const { each(node.items); }
  void operator()(const ObjectOf& node) const {
    for (const auto& member : node.members) act(member.second);
  }
  void operator()(const Unary& node) const { act(node.operand); }
  void operator()(const Binary& node) const {
    act(node.left);
    act(node.right);
  }
  void operator()(const Logical& node) const { each(node.operands); }
  void operator()(const Between& node) const {
    act(node.value);
    act(node.low);
    act(node.high);
  }
  void operator()(const In& node) const {
    act(node.value);
    each(node.items);
  }
  void operator()(const Like& node) const {
    act(node.value);
    act(node.pattern);
  }
  void operator()(const Conditional& node) const {
    act(node.condition);
    act(node.yes);
    act(node.no);
  }
  void operator()(const ScalarCall& node) const { each(node.arguments); }

  void each(const ScalarList& list) const {
    for (const ScalarPtr& item : list) act(item);
  }
};

}  // namespace

void for_each_child(const Scalar& scalar, const Act& act) {
  std::visit(Children{act}, scalar.node);
}

void for_each_scalar(const Query& query, const Act& act) {
  const Children children{act};
  if (const auto* value = std::get_if<SelectValue>(&query.selection)) act(value->value);
  if (const auto* list = std::get_if<SelectList>(&query.selection)) {
    for (const SelectItem& item : list->items) act(item.value);
  }
  for (const Source& source : query.from) {
    if (const auto* path = std::get_if<ScalarPtr>(&source.collection)) act(*path);
  }
  if (query.where) act(query.where);
  children.each(query.group_by);
  if (!query.order_by) return;
  for (const OrderItem& item : query.order_by->items) act(item.value);
}

ScalarPtr make_scalar(Scalar::Node node, TextRange range) {
  auto scalar = std::make_shared<Scalar>(Scalar{std::move(node), range});
  const auto* subquery = scalar->as<Subquery>();
  std::uint32_t below = subquery != nullptr ? subquery->query->height : 0;
  for_each_child(*scalar, [&](const ScalarPtr& child) { below = std::max(below, child->height); });
  scalar->height = below + 1;
  return scalar;
}

QueryPtr make_query(Query query) {
  std::uint32_t below = 0;
  for_each_scalar(query, [&](const ScalarPtr& child) { below = std::max(below, child->height); });
  for (const Source& source : query.from) {
    const auto* inner = std::get_if<QueryPtr>(&source.collection);
    if (inner != nullptr) below = std::max(below, (*inner)->height);
  }
  query.height = below + 1;
  return std::make_shared<const Query>(std::move(query));
}

std::optional<std::string> implied_name(const Scalar& scalar) {
  if (const auto* name = scalar.as<Name>()) return name->name;
  if (const auto* member = scalar.as<Member>()) return member->name;
  const auto* index = scalar.as<Index>();
  if (index == nullptr) return std::nullopt;
  const auto* literal = index->index->as<Literal>();
  if (literal == nullptr || !literal->value.is(Kind::text)) return std::nullopt;
  return literal->value.text();
}

std::optional<std::string> name_of(const Source& source) {
  if (source.alias) return source.alias;
  const auto* path = std::get_if<ScalarPtr>(&source.collection);
  return path != nullptr ? implied_name(**path) : std::nullopt;
}

std::vector<std::string> names_of(const SelectList& list) {
  std::vector<std::string> names;
  std::size_t unnamed = 0;
  for (const SelectItem& item : list.items) {
    std::optional<std::string> name = item.alias;
    if (!name) name = implied_name(*item.value);
    if (!name) name = "$" + std::to_string(++unnamed);
    names.push_back(*std::move(name));
  }
  return names;
}

std::optional<std::string> document_name(const Query& query) {
  if (query.from.empty()) return std::nullopt;
  const Source& first = query.from.front();
  const auto* collection = std::get_if<ScalarPtr>(&first.collection);
  if (collection == nullptr) return std::nullopt;
  const Scalar* base = collection->get();
  while (base->as<Member>() != nullptr || base->as<Index>() != nullptr) {
    const auto* member = base->as<Member>();
    base = member != nullptr ? member->of.get() : base->as<Index>()->of.get();
  }
  const auto* name = base->as<Name>();
  if (name == nullptr) return std::nullopt;
  const bool is_document = base == collection->get() && first.binding == Source::Binding::whole;
  const std::string own = is_document ? first.alias.value_or(name->name) : name->name;
  for (std::size_t i = is_document ? 1 : 0; i < query.from.size(); ++i) {
    if (name_of(query.from[i]) == own) return std::nullopt;
  }
  return own;
}

}  // namespace mayfly::cosmos::sql
