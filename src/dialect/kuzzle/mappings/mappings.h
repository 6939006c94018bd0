// Mappings from clients: their validation, and how they are shown. mapped_fields.h checks documents
// against them.
#pragma once

#include "dialect/kuzzle/call.h"

namespace mayfly::kuzzle {

// Reads the mapping of a request's body: its member `mappings`, or the body itself. Fails with
// invalid; if the generation checks whole mappings, also for an unknown member.
Result<Value> requested_mapping(const Value& body, const Generation& generation);

// Fails with invalid if `requested` has a field of an unknown type, or of another type than in
// `standing`, the mapping so far.
Result<void> check_field_types(const Value& standing, const Value& requested);

// The mapping as clients see it, with members in Kuzzle's order.
enum class MetadataFields { hidden, shown };
Value mapping_for_client(const Value& mapping, const Generation& generation,
                         MetadataFields metadata);

}  // namespace mayfly::kuzzle
