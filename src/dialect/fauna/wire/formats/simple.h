// The simple format: JSON without tags; values of types that JSON lacks become texts. There is no
// decoder: parse_json() returns the values of a request.
#pragma once

#include <string>

#include "dialect/fauna/values/value.h"

namespace mayfly::fauna {

// Documents are flat objects, references {"id":…,"coll":"Foo"}, missing documents null, sets
// {"data":[…],"after":…}; NaN and the infinities are the texts "NaN", "Infinity", "-Infinity".
std::string encode_simple(const FqlValue& value);
void encode_simple(const FqlValue& value, std::string& out);

}  // namespace mayfly::fauna
