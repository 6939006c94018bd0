// Specification: the rules that clients set for the documents of a collection:
//   {"strict": true, "fields": {"name": {"type": "string", "mandatory": true},
//                               "address": {"type": "object"}, "address/city": {"type": "string"}},
//    "validators": [Koncorde filters]}
// It is a facet of its collection, so it is removed with it. Writes of documents are checked
// against it; imports and other bulk writes are not.
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

struct ParsedSpecification {
  Specification specification;
  std::vector<std::string>
      errors;  // Kuzzle's messages; if not empty, the specification is not valid
};
// `place`: "index.collection", for errors.
ParsedSpecification parse(const Value& body, const std::string& place);

// The collection's specification; null if it has none. Fails with corrupt.
Result<std::shared_ptr<const Specification>> specification_of(const Collection& collection);
// The specification as JSON, as the client set it; missing if there is none.
Value specification_json(const Collection& collection);

}  // namespace mayfly::kuzzle::specifications
