// RequestScripts: the scripts of one request, and the process in which they run.
#pragma once

#include <memory>

#include "dialect/cosmos/call.h"
#include "dialect/cosmos/containers/container.h"
#include "script/sandbox.h"

namespace mayfly::cosmos {

// A process for scripts of this container. Fails as Pool::take does, and with unsupported if the
// server runs no scripts.
Result<std::unique_ptr<script::Sandbox>> take_sandbox(const Services& services,
                                                      const Container& container, Instant stop_at);

// Threads: the one that answers the request.
class RequestScripts {
 public:
  // Waits until the request may run scripts (script::begin_scripts).
  static Result<RequestScripts> begin(const CosmosCall& call);

  Instant stop_at() const { return stop_at_; }
  // The same process for all scripts of the request, unless one was stopped or the container
  // differs.
  Result<script::Sandbox*> sandbox(const Container& container);

 private:
  RequestScripts(const Services& services, Instant stop_at)
      : services_(&services), stop_at_(stop_at) {}

  const Services* services_;
  Instant stop_at_;
  CollectionId collection_ = {};
  std::unique_ptr<script::Sandbox> sandbox_;
};

}  // namespace mayfly::cosmos
