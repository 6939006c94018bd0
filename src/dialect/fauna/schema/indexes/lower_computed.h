// Translates computed fields to expressions of the core, so that indexes can hold their values.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "dialect/fauna/schema/definition.h"
#include "expr/stored.h"

namespace mayfly::fauna {

struct LoweredField {
  StoredExpression computed;  // empty if it cannot be lowered
  std::string problem;        // in that case the part of the body that prevents it
};

// Lowers only bodies that have the same value in the core, for every document and every client:
// literal texts and numbers, comparisons of the document's own fields with literals, and
// combinations of these and of fields that must be texts. Where FQL returns null or fails, the
// expression is null or missing. `is_computed` tells which fields are computed, so that no value is
// stored.
LoweredField lower_computed(const Program& body,
                            const std::function<bool(std::string_view)>& is_computed);

// Sets the expression of each term that is a computed field.
void lower_terms(CollectionDefinition& definition);

}  // namespace mayfly::fauna
