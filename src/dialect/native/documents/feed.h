// Events as JSON, in feeds and subscriptions.
#pragma once

#include <string>

#include "db/feed/feed.h"

namespace mayfly::native {

// Appends an object.
void render_event(const Event& event, std::string& out);

}  // namespace mayfly::native
