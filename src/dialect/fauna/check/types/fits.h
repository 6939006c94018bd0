// Whether values of one type are accepted where another is expected, and the error if not.
#pragma once

#include <string>
#include <vector>

#include "dialect/fauna/check/types/static_type.h"
#include "dialect/fauna/syntax/diagnostics/diagnostic.h"

namespace mayfly::fauna {

// Any number fits where a number is expected, because its kind is known only when the query runs.
// The null of `Foo | Null` fits where a `Ref<Foo>` is expected.
bool fits(const StaticType& actual, const StaticType& expected);

// True for Null and for documents that may be missing.
bool may_be_null(const StaticType& type);
// The null part of the type, and the type without that part; Never if nothing is left.
StaticPtr null_in(const StaticPtr& type);
StaticPtr without_null(const StaticPtr& type);

// "Type `A` is not a subtype of `B`": a literal is shown as its kind unless `B` has literals.
std::string mismatch_text(const StaticType& actual, const StaticType& expected);
// The error for a value at `at` that does not fit. For objects, a single wrong field is the error
// itself; several are its causes.
Diagnostic mismatch(const StaticPtr& actual, const StaticPtr& expected, Span at);

}  // namespace mayfly::fauna
