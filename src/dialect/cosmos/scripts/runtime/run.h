// Running a stored procedure or trigger where it may change its container.
#pragma once

#include <string>
#include <vector>

#include "dialect/cosmos/scripts/definition.h"
#include "dialect/cosmos/scripts/runtime/host.h"

namespace mayfly::cosmos {

// What the script finds, and what it leaves behind.
struct ScriptMessages {
  std::string operation;  // Create, Replace …; empty for procedures
  Value request;          // the body; missing where there is none
  Value response;
};
struct ScriptOutcome {
  ScriptMessages messages;
  bool answers = false;  // it has set the body of the response
  std::string log;
};

// Calls the function and all callbacks that come of it. Fails with invalid where the script throws,
// timed_out and too_large at its bounds, and as the database fails.
Result<ScriptOutcome> run_script(const ScriptPlace& place, const ScriptDefinition& definition,
                                 std::span<const Value> arguments, ScriptMessages messages);

// Documents that a script has written carry, until the commit, the tag of its own instant; what it
// reports of them is reported as committed.
void report_as_committed(Value& value, const std::string& own_tag, Instant at);

}  // namespace mayfly::cosmos
