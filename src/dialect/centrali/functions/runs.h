// Runs of compute functions as they lie in the store: a private table of the workspace's database.
// A run is stored when it begins and when it ends, and is kept for a week.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/private_table.h"
#include "expr/evaluation/meter.h"

namespace mayfly::centrali {

struct Run {
  enum class Status { running, completed, failed, timeout };

  std::string id;
  Object
      members;  // functionId, triggerId, status, startedAt, endedAt, durationMs, result, error, …
  Instant created_at = {};

  std::string text(std::string_view member) const;
  Status status() const;

  static PrivateSpec table();
  static Result<Run> decode(const Document& document);
  Result<Value> encode() const { return Value(members); }
};
std::string_view word_of(Run::Status status);
std::optional<Run::Status> run_status(std::string_view word);

Result<void> put_run(Transaction& transaction, DatabaseId workspace, const Run& run);

// Which runs are listed; an empty member matches any.
struct RunFilter {
  std::string function;
  std::string trigger;
};
// The newest first, limits::function_runs_listed_max of them at most.
Result<std::vector<Run>> read_runs(View& view, const PrivateTable<Run>& table,
                                   const RunFilter& filter, const std::string& status,
                                   const Meter& meter);

std::string render(const Run& run, std::string_view workspace);

}  // namespace mayfly::centrali
