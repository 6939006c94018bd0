// What a collection's definition demands of its documents, and what is said where they do not meet
// it.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "dialect/fauna/run/interpreter.h"

namespace mayfly::fauna {

enum class Writing : std::uint8_t;

// The constraint failures of one write.
class Failures {
 public:
  // Beyond limits::fql_failures_max they are not listed.
  void add(FailurePath path, std::string message);
  bool empty() const { return failures_.empty(); }
  // Fails with constraint_failure where there are any.
  Result<void> raise(Interpreter& run, const std::string& message);

 private:
  std::vector<ConstraintFailure> failures_;
};

// Of fields that are not there and have a default.
Result<void> add_defaults(Interpreter& run, const FqlCollection& of, FqlObject& fields);
// Types of fields; `is_data`: the input stands under `data`.
Result<void> check_fields(Interpreter& run, const FqlCollection& of, const FqlObject& fields,
                          bool is_data, Failures& failures);
// The checks, on what has been written.
Result<void> check_constraints(Interpreter& run, const FqlCollection& of, const FqlValue& document,
                               const FqlObject& fields, const std::optional<FqlTime>& ttl,
                               Writing how);
// Another document has the unique values; `error`: the message of the write, or the
// name of the index that holds them.
QueryFailure unique_failure(const FqlCollection& of, std::string_view error);

}  // namespace mayfly::fauna
