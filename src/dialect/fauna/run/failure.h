// QueryFailure: why a query fails, in its client's words. FQL cannot catch a failure: the first one
// ends the query, and nothing that it wrote stays.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "dialect/fauna/syntax/diagnostics/source.h"
#include "dialect/fauna/values/value.h"

namespace mayfly::fauna {

using FailurePath = std::vector<std::variant<std::string, std::int64_t>>;

struct ConstraintFailure {
  std::vector<FailurePath> paths;  // none: the document as a whole
  std::string message;
};

struct FailureHint {
  std::string message;
  Span at = {};  // nowhere: where the query failed
  SourcePtr source = {};
};

struct QueryFailure {
  std::string code;  // a row of errors.cc
  std::string message;
  std::vector<ConstraintFailure> constraint_failures = {};
  std::optional<FqlValue> abort = {};  // of the code `abort`
  std::vector<FailureHint> hints = {};
  std::string diagnostic = {};  // what the summary begins with; empty: the message
};

}  // namespace mayfly::fauna
