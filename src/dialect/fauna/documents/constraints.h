// The constraints of a collection's definition on its documents, and their failures.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "dialect/fauna/run/interpreter.h"

namespace mayfly::fauna {

enum class WriteMode : std::uint8_t;

// The constraint failures of one write.
class Failures {
 public:
  // Failures beyond limits::fql_failures_max are not listed.
  void add(FailurePath path, std::string message);
  bool empty() const { return failures_.empty(); }
  // Fails with constraint_failure if any were added.
  Result<void> raise(Interpreter& run, const std::string& message);

 private:
  std::vector<ConstraintFailure> failures_;
};

// Sets the default of each missing field that has one.
Result<void> add_defaults(Interpreter& run, const FqlCollection& of, FqlObject& fields);
// Checks the types of fields. `is_data`: the input is the content of `data`.
Result<void> check_fields(Interpreter& run, const FqlCollection& of, const FqlObject& fields,
                          bool is_data, Failures& failures);
// Runs the collection's check constraints on the written document.
Result<void> check_constraints(Interpreter& run, const FqlCollection& of, const FqlValue& document,
                               const FqlObject& fields, const std::optional<FqlTime>& ttl,
                               WriteMode mode);
// The failure for unique values that another document has. `error` is the store's message, or the
// name of the index with these values.
QueryFailure unique_failure(const FqlCollection& of, std::string_view error);

}  // namespace mayfly::fauna
