// Running a stored procedure or trigger, which may change its container.
#pragma once

#include <string>
#include <vector>

#include "dialect/cosmos/scripts/definition.h"
#include "dialect/cosmos/scripts/runtime/host.h"

namespace mayfly::cosmos {

// The bodies of request and response: before the script, or as it leaves them.
struct ScriptMessages {
  std::string operation;  // Create, Replace …; empty for procedures
  Value request;          // the body; missing if there is none
  Value response;
};
struct ScriptOutcome {
  ScriptMessages messages;
  bool answers = false;  // the script has set the body of the response
  std::string log;
};

// Calls the function and all resulting callbacks. The script's writes are in the transaction; they
// must not be committed if this fails. Fails with invalid if the script throws, with timed_out and
// too_large at its bounds, and as the database fails.
Result<ScriptOutcome> run_script(const ScriptEnvironment& environment,
                                 const ScriptDefinition& definition,
                                 std::span<const Value> arguments, ScriptMessages messages);

// Until the commit, documents that a script has written have the tag of the script's own instant.
// This replaces that tag, and `_ts` beside it, everywhere in `value` by those of the commit.
void report_as_committed(Value& value, const std::string& own_tag, Instant at);

}  // namespace mayfly::cosmos
