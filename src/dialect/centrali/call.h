// Call: one request on its way through the dialect, with all that answering it needs.
#pragma once

#include <string>
#include <vector>

#include "dialect/centrali/auth.h"
#include "dialect/dialect.h"
#include "net/router.h"

namespace mayfly::centrali {

class Directory;
class WebhookDispatcher;

// One line of an error's `details`.
struct Detail {
  std::string field;
  std::string message;
};

struct Call {
  const net::Request& request;
  const net::Match& match;
  const Services& services;
  const CentraliOptions& options;
  Directory& directory;
  WebhookDispatcher& webhooks;
  std::string workspace;
  Principal principal;
  // Where an action fails for several reasons at once it says them here; otherwise the Error's
  // field is the only one.
  std::vector<Detail> details;

  Database& database() const { return services.database; }
};

// Answers one route. Fails as errors.h renders it.
using Action = Result<net::Response> (*)(Call&);

}  // namespace mayfly::centrali
