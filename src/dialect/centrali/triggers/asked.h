// Parsing the trigger in a request.
#pragma once

#include "dialect/centrali/call.h"
#include "dialect/centrali/triggers/trigger.h"

namespace mayfly::centrali {

// Merges the body into the trigger. Fails with invalid, naming the member by its path
// ("triggerMetadata.event").
Result<void> merge_trigger(CentraliCall& call, const Object& body, Trigger& trigger);
// The database's name of the structure that the trigger is about; empty: all structures.
Result<std::string> collection_of(CentraliCall& call, const Trigger& trigger);
// Whether both are about events of the structure of one recordSlug. It may have been deleted since.
bool names_same_structure(const Trigger& one, const Trigger& other);
// The path of an HTTP trigger, without slashes at its ends.
std::string path_of(const Trigger& trigger);

}  // namespace mayfly::centrali
