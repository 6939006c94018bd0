// The events of a workspace, as the hub of event streams reads them.
#pragma once

#include <memory>
#include <string>

#include "dialect/centrali/structures/directory.h"
#include "dialect/common/events/stream.h"

namespace mayfly::centrali {

std::string source_name(const std::string& workspace);
// Each piece is a Notice. The workspace may be created later.
std::shared_ptr<EventSource> workspace_source(Database& database,
                                              std::shared_ptr<Directory> directory,
                                              std::string workspace);

}  // namespace mayfly::centrali
