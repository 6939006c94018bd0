// Making nodes of filters in their one form. Private to the folder.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "dialect/kuzzle/koncorde/filter.h"

namespace mayfly::kuzzle::koncorde {

NodePtr every_document();
NodePtr no_document();
// Makes the leaf's condition and text, but for parts, places and items, whose condition is given.
NodePtr make_leaf(Leaf leaf);
NodePtr all_of(std::vector<NodePtr> operands);
NodePtr any_of(std::vector<NodePtr> operands);
NodePtr negation(const NodePtr& node);

// What lies at the path, and the steps of a dotted name. "_id" is the document's id.
ExprPtr field_at(const std::vector<std::string>& path, Slot slot = 0);
std::vector<std::string> path_of(std::string_view name);

ExprPtr condition_of(const Node& node);

// A leaf about the field of that name, in what is looked at.
using About = std::function<Leaf(Leaf::Kind, const std::string& name)>;

// The keywords about places. Null where the keyword is none of them.
Result<NodePtr> parse_place(std::string_view keyword, const Value& body, const std::string& place,
                            const About& about);

}  // namespace mayfly::kuzzle::koncorde
