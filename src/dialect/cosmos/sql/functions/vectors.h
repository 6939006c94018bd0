// VectorDistance: the metric by which vectors are compared.
#pragma once

#include <string>

#include "dialect/cosmos/sql/ast.h"
#include "dialect/cosmos/sql/lower.h"

namespace mayfly::cosmos::sql {

bool is_vector_call(const ScalarCall& call);
bool is_vector_distance(const Scalar& scalar);

// The metric in the call's options, or else in the container's policy for the vector's path, or
// else cosine. It is "cosine", "dotproduct" or "euclidean", or an unknown name from the options.
// `definition` is the container's definition.
std::string vector_metric(const ScalarCall& call, const QueryInput& input,
                          const Object& definition);

}  // namespace mayfly::cosmos::sql
