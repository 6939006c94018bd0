// Events on the wire, as feeds and subscriptions show them.
#pragma once

#include <string>

#include "db/feed/feed.h"

namespace mayfly::native {

// An object.
void render_event(const Event& event, std::string& out);

}  // namespace mayfly::native
