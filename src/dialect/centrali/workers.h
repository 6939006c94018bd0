// What the dialect does beside answering requests, on threads of its own.
#pragma once

#include "dialect/centrali/events/announcer.h"
#include "dialect/centrali/webhooks/postman.h"

namespace mayfly::centrali {

struct Workers {
  Announcer announcer;
  Postman postman;
};

}  // namespace mayfly::centrali
