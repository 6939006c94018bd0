// Whether values of one type can stand where another is wanted, and what is said where they cannot.
#pragma once

#include <string>
#include <vector>

#include "dialect/fauna/check/types/static_type.h"
#include "dialect/fauna/syntax/diagnostics/diagnostic.h"

namespace mayfly::fauna {

// All numbers fit wherever a number is wanted: which kind one is, is known when the query runs.
// So does the null of `Foo | Null` where a `Ref<Foo>` is wanted.
bool fits(const StaticType& given, const StaticType& wanted);

// Null, and documents that may be missing.
bool may_be_null(const StaticType& type);
// The part of it that is null, and the type without that part; Never where nothing else is left.
StaticPtr null_in(const StaticPtr& type);
StaticPtr without_null(const StaticPtr& type);

// "Type `A` is not a subtype of `B`": a literal as its kind, but where `B` has literals.
std::string mismatch_text(const StaticType& given, const StaticType& wanted);
// What is wrong with a value at `at`; it does not fit. Of objects each field that is wrong: one
// alone is the error, several are its causes.
Diagnostic mismatch(const StaticPtr& given, const StaticPtr& wanted, Span at);

}  // namespace mayfly::fauna
