// The delivery of events to functions: a target whose messages start runs, and the format of these
// messages.
#pragma once

#include <memory>

#include "delivery/message.h"
#include "delivery/target.h"
#include "dialect/centrali/functions/functions.h"
#include "dialect/centrali/structures/directory.h"

namespace mayfly::centrali {

inline constexpr std::string_view function_target_name = "centrali.function";
inline constexpr std::string_view function_format_name = "centrali.function";

// A message is taken once its function has run, and refused if the function fails. The target is
// away if the function could not be run, and the attempt is interrupted if too many functions run.
// A message that would exceed the longest chain (functions/chain.h), or whose trigger or function
// was removed, is taken: another attempt would change nothing. The arguments outlive all runs of
// jobs.
std::unique_ptr<delivery::Target> function_target(Functions& functions, Database& database);
delivery::Format function_format(Database& database, Directory& directory);

}  // namespace mayfly::centrali
