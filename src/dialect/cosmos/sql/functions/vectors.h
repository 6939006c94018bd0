// VectorDistance: by which metric vectors are compared.
#pragma once

#include <string>

#include "dialect/cosmos/sql/ast.h"
#include "dialect/cosmos/sql/lower.h"

namespace mayfly::cosmos::sql {

bool is_vector_call(const Call& call);
bool is_vector_distance(const Scalar& scalar);

// "cosine", "dotproduct" or "euclidean", or what else the call asks for: what its options say, or
// the container's policy for the vector's path; else cosine. `told` is the container's definition.
std::string vector_metric(const Call& call, const Asked& asked, const Object& told);

}  // namespace mayfly::cosmos::sql
