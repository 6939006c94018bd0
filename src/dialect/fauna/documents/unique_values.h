// Unique constraints: values that no two documents may share.
#pragma once

#include <vector>

#include "dialect/fauna/run/interpreter.h"

namespace mayfly::fauna {

// The values of a document in the index of a constraint, one for each combination of items. Null
// counts as a value, but entries in which all values are null are not compared.
std::vector<Bytes> unique_values(const Index& index, const Document& document);

// Checks that no other document has the values of the one just written. The store itself compares
// documents that have all fields of a constraint; this function compares those that lack some.
// Fails with constraint_failure.
Result<void> check_partly_null(Interpreter& run, const FqlCollection& of, const DocumentKey& key);

}  // namespace mayfly::fauna
