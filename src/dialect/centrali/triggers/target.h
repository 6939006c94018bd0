// What delivers events to functions: a target whose messages begin runs, and the format of these
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

// A message is taken once its function has run; where the function fails it is refused, and where
// nothing could be run the target is away. A circle that was cut (functions/chain.h) is taken: to
// run it again changes nothing. All that it is given outlives all runs of jobs.
std::unique_ptr<delivery::Target> function_target(Functions& functions, Database& database);
delivery::Format function_format(Database& database, Directory& directory);

}  // namespace mayfly::centrali
