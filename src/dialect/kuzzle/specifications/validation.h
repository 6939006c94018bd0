// Validation of documents against their collection's specification.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "dialect/kuzzle/requests/message.h"
#include "dialect/kuzzle/specifications/specification.h"

namespace mayfly::kuzzle::specifications {

// One violation of the specification.
struct ValidationError {
  std::vector<std::string> path;  // of the field; empty: the document as a whole
  std::string message;
};

// Returns at most limits::specification_errors_max errors. Fails as the meter does.
Result<std::vector<ValidationError>> validate(const Specification& specification,
                                              std::string_view id, const Value& body, Instant now,
                                              Meter meter);

// The answer of `document:validate`.
Object render_validation_errors(const std::vector<ValidationError>& findings);
// The error of a write that violates the specification.
tl::unexpected<Error> violation_error(const ValidationError& finding, const Words& words);

}  // namespace mayfly::kuzzle::specifications
