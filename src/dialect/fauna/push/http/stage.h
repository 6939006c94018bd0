// A staged schema: a set of files that waits for its commit. Its indexes are built at the commit;
// whether it can be committed is tried whenever its status is asked for, because documents change.
#pragma once

#include <string>
#include <string_view>

#include "dialect/fauna/push/http/schema_call.h"

namespace mayfly::fauna {

struct StageState {
  std::string_view status = "none";  // none, ready, failed
  std::string pending = {};          // what has failed, as the command line client shows it
};
Result<StageState> try_stage(const SchemaCall& call);

// Both fail with invalid where nothing is staged; a commit also where the stage is not ready.
SchemaResult commit_stage(SchemaCall& call);
SchemaResult abandon_stage(SchemaCall& call);

}  // namespace mayfly::fauna
