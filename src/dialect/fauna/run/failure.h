// QueryFailure: the reason why a query fails, as its client sees it. FQL cannot catch a failure:
// the first one ends the query, and its writes are rolled back.
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
  std::vector<FailurePath> paths;  // empty: the whole document
  std::string message;
};

struct FailureHint {
  std::string message;
  Span at = {};  // empty: where the query failed
  SourcePtr source = {};
};

struct QueryFailure {
  std::string code;  // a row of errors.cc
  std::string message;
  std::vector<ConstraintFailure> constraint_failures = {};
  std::optional<FqlValue> abort = {};  // only for the code `abort`
  std::vector<FailureHint> hints = {};
  std::string diagnostic = {};  // the beginning of the summary; empty: the message
};

}  // namespace mayfly::fauna
