// Checks values against types that a schema declares.
#pragma once

#include "dialect/fauna/documents/constraints.h"
#include "dialect/fauna/syntax/types.h"

namespace mayfly::fauna {

bool is_of_type(const FqlValue& value, const Type& type);
// Adds a failure for each place where the value does not fit. With a meter it takes steps, and
// fails as the meter does. The form without a meter is for built-in types.
Result<void> check_type(Meter& meter, const FqlValue& value, const Type& type,
                        const FailurePath& path, Failures& failures);
void check_type(const FqlValue& value, const Type& type, const FailurePath& path,
                Failures& failures);
// Whether the type accepts null, so that its field may be left out.
bool takes_null(const Type& type);

}  // namespace mayfly::fauna
