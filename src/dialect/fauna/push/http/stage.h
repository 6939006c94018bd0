// A staged schema: a set of files that waits for its commit. Its indexes are built at the commit.
// Every request for its status tries whether it can be committed, because documents change.
#pragma once

#include <string>
#include <string_view>

#include "dialect/fauna/push/http/schema_call.h"

namespace mayfly::fauna {

struct StageState {
  std::string_view status = "none";  // none, ready, failed
  std::string pending = {};          // the failures, as the command line client shows them
};
Result<StageState> try_stage(const SchemaCall& call);

// Both fail with invalid if nothing is staged; a commit also if the stage is not ready.
SchemaResult commit_stage(SchemaCall& call);
SchemaResult abandon_stage(SchemaCall& call);

}  // namespace mayfly::fauna
