// Validation: whether a document is what its collection's specification says.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "dialect/kuzzle/message.h"
#include "dialect/kuzzle/specifications/specification.h"

namespace mayfly::kuzzle::specifications {

// One thing that is wrong.
struct Finding {
  std::vector<std::string> path;  // of the field; empty: the document as a whole
  std::string message;
};

// At most limits::specification_findings_max.
std::vector<Finding> validate(const Specification& specification, std::string_view id,
                              const Value& body, Instant now);

// What `document:validate` answers with.
Object render_findings(const std::vector<Finding>& findings);
// The first of them, as a write fails with it.
tl::unexpected<Error> misfit(const Finding& finding, Shape shape);

// Default values for what is null; in a whole document also for what is missing.
enum class Extent { whole, changes };
Value with_defaults(const Specification& specification, Value body, Extent extent);

}  // namespace mayfly::kuzzle::specifications
