// Mappings as clients give them: what may be said of a collection's fields, and what is shown of
// it. mapped_fields.h holds documents to them.
#pragma once

#include "dialect/kuzzle/call.h"

namespace mayfly::kuzzle {

// The mapping that a body says: in version 2 under `mappings`, before that the body itself. Fails
// with invalid where it is none, in version 2 also where it has an unknown member.
Result<Value> asked_mapping(const Value& body, Shape shape);

// Fails with invalid where `asked` has a field of an unknown type, or of another type than
// `standing`, the mapping so far, says.
Result<void> check_field_types(const Value& standing, const Value& asked);

// As clients see it, its members in the order that Kuzzle gives them.
enum class MetadataFields { hidden, shown };
Value shown_mapping(const Value& mapping, Shape shape, MetadataFields metadata);

}  // namespace mayfly::kuzzle
