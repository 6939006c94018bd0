// Unique constraints: what of a document must be no other document's.
#pragma once

#include <vector>

#include "dialect/fauna/run/interpreter.h"

namespace mayfly::fauna {

// The values of a document in the index of a constraint, one for each combination of items. Null
// counts as a value; where all are null there is nothing to compare.
std::vector<Bytes> unique_values(const Index& index, const Document& document);

// That no other document has the values of one that has just been written. The store compares
// documents that have all fields of a constraint; this compares those that lack some. Fails with
// constraint_failure.
Result<void> check_partly_null(Interpreter& run, const FqlCollection& of, const DocumentKey& key);

}  // namespace mayfly::fauna
