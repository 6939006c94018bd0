// Specification: what the documents of a collection must be, as clients say it:
//   {"strict": true, "fields": {"name": {"type": "string", "mandatory": true},
//                               "address": {"type": "object"}, "address/city": {"type": "string"}},
//    "validators": [Koncorde filters]}
// It is a facet of its collection, hence goes with it. Writes to documents are held to it; imports
// and other bulk writes are not.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/catalog/catalog.h"
#include "dialect/kuzzle/koncorde/filter.h"
#include "dialect/kuzzle/specifications/fields/types.h"

namespace mayfly::kuzzle::specifications {

// The facet, as JSON.
inline constexpr std::string_view facet = "kuzzle.specification";

struct Specification {
  FieldShape document;
  std::optional<koncorde::Filter> validators;
};

struct Parsed {
  Specification specification;
  std::vector<std::string> errors;  // in Kuzzle's words; some: there is no specification
};
// `place`: "index.collection", which errors name.
Parsed parse(const Value& wanted, const std::string& place);

// What the collection has; null where it has none. Fails with corrupt.
Result<std::shared_ptr<const Specification>> specification_of(const Collection& collection);
// As it was given; missing where there is none.
Value given(const Collection& collection);

}  // namespace mayfly::kuzzle::specifications
