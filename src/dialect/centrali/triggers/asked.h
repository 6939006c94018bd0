// What a request says of a trigger.
#pragma once

#include "dialect/centrali/call.h"
#include "dialect/centrali/triggers/trigger.h"

namespace mayfly::centrali {

// Puts what the body says over the members. Fails with invalid, naming the member by its path
// ("triggerMetadata.event").
Result<void> merge_trigger(Call& call, const Object& body, Trigger& trigger);
// The structure's name in the database that the trigger is about; empty: all of them.
Result<std::string> collection_of(Call& call, const Trigger& trigger);
// The path of an HTTP trigger, without slashes at its ends.
std::string path_of(const Trigger& trigger);

}  // namespace mayfly::centrali
