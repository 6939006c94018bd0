#include "dialect/cosmos/scripts/runtime/request_scripts.h"

#include "script/pool.h"

namespace mayfly::cosmos {

Result<std::unique_ptr<script::Sandbox>> take_sandbox(const Services& services,
                                                      const Container& container, Instant stop_at) {
  if (services.scripts == nullptr) return fail(Code::unsupported, "This server runs no scripts.");
  Bytes scope;
  put_u64(scope, container.collection->id);
  return services.scripts->take(scope, stop_at);
}

Result<RequestScripts> RequestScripts::begin(const CosmosCall& call) {
  return RequestScripts(call.services, TRY(script::begin_scripts(call.request.answer_by)));
}

Result<script::Sandbox*> RequestScripts::sandbox(const Container& container) {
  const bool is_for_it =
      sandbox_ && sandbox_->is_usable() && collection_ == container.collection->id;
  if (!is_for_it) {
    sandbox_.reset();
    sandbox_ = TRY(take_sandbox(*services_, container, stop_at_));
    collection_ = container.collection->id;
  }
  return sandbox_.get();
}

}  // namespace mayfly::cosmos
