// Constructs nodes of filters in canonical form. Private to the folder.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "dialect/kuzzle/koncorde/filter.h"

namespace mayfly::kuzzle::koncorde {

NodePtr every_document();
NodePtr no_document();
// Makes the leaf's condition and text. For parts, places and items the caller sets the condition.
NodePtr make_leaf(Leaf leaf);
NodePtr all_of(std::vector<NodePtr> operands);
NodePtr any_of(std::vector<NodePtr> operands);
NodePtr negation(const NodePtr& node);

// The value at the path; and the steps of a dotted name. "_id" is the document's id.
ExprPtr field_at(const std::vector<std::string>& path, Slot slot = 0);
std::vector<std::string> path_of(std::string_view name);

ExprPtr condition_of(const Node& node);

// Makes a leaf about the field of that name in the current object.
using MakeLeaf = std::function<Leaf(Leaf::Kind, const std::string& name)>;

// Parses the keywords about geo-points. Null if the keyword is none of them.
Result<NodePtr> parse_place(std::string_view keyword, const Value& body, const std::string& place,
                            const MakeLeaf& about);

}  // namespace mayfly::kuzzle::koncorde
