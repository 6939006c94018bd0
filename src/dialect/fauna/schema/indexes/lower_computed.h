// Computed fields as expressions of the core, which an index can hold the values of.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "dialect/fauna/schema/definition.h"
#include "expr/stored.h"

namespace mayfly::fauna {

struct LoweredField {
  StoredExpression computed;  // none where it cannot be lowered
  std::string problem;        // then: the part of the body that stands in the way
};

// Only what has the same value there, for every document and every client, is lowered: texts and
// numbers that are written in the body, comparisons of the document's own fields with these, and
// what is made of such parts and of fields that must be texts. Where FQL gives null, or fails, the
// expression gives null or nothing. `is_computed` says which fields nothing is stored of.
LoweredField lower_computed(const Program& body,
                            const std::function<bool(std::string_view)>& is_computed);

// Gives each term that is a computed field its expression.
void lower_terms(CollectionDefinition& definition);

}  // namespace mayfly::fauna
