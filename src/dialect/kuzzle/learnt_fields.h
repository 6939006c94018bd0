// Fields that no mapping names and that documents have, with the types that Elasticsearch would
// give them. They are kept beside the mapping and shown with it; nothing is held to them. Only
// collections that were made here learn.
#pragma once

#include "dialect/kuzzle/call.h"

namespace mayfly::kuzzle {

// The facet that keeps them, as a mapping.
inline constexpr std::string_view learnt_facet = "kuzzle.learnt";

// The mapping with what has been learnt; what clients have said of a field comes first.
Value whole_mapping_of(const Collection& collection);

// Notes in the call what this body has that the collection does not know yet.
void note_unknown_fields(const Call& call, const Collection& collection, const Value& body);
// Keeps what was noted, once the request has succeeded: a commit of its own. What cannot be kept is
// learnt from the next document that has it.
void keep_learnt_fields(Call& call);

}  // namespace mayfly::kuzzle
