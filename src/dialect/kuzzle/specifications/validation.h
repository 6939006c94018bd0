// Validation: whether a document is what its collection's specification says.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "dialect/kuzzle/requests/message.h"
#include "dialect/kuzzle/specifications/specification.h"

namespace mayfly::kuzzle::specifications {

// One thing that is wrong.
struct Finding {
  std::vector<std::string> path;  // of the field; empty: the document as a whole
  std::string message;
};

// At most limits::specification_findings_max. Fails where the meter does.
Result<std::vector<Finding>> validate(const Specification& specification, std::string_view id,
                                      const Value& body, Instant now, Meter meter);

// What `document:validate` answers with.
Object render_findings(const std::vector<Finding>& findings);
// The first of them, as a write fails with it.
tl::unexpected<Error> misfit(const Finding& finding, Shape shape);

}  // namespace mayfly::kuzzle::specifications
