#include "dialect/cosmos/scripts/user_functions.h"

#include <algorithm>
#include <memory>

#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/scripts/definition.h"
#include "dialect/cosmos/scripts/engine.h"

namespace mayfly::cosmos {
namespace {

// One script for all functions of the query.
class Functions {
 public:
  Functions(const Container& container, View& view, Instant stop_at)
      : container_(container), view_(view), stop_at_(stop_at) {}

  Result<std::optional<expr::ForeignCall>> find(const std::string& name) {
    const auto definition =
        TRY(find_definition(ResourceKind::user_function, container_, name, view_));
    if (!definition) return std::nullopt;
    if (!script_) TRY(open());
    const std::size_t number = TRY(script_->add_function(name, definition->body));
    return [script = script_, number](const Scope&, std::span<const Value> given) {
      return script->call(number, given);
    };
  }

 private:
  // What it has waited is no time of the functions'.
  Result<void> open() {
    const Instant began = monotonic_now();
    TRY(wait_for_turn());
    const Instant stop_at = stop_at_ + (monotonic_now() - began);
    script_ = TRY(Script::open({.stop_at = stop_at, .now = view_.now()}));
    return {};
  }

  const Container& container_;
  View& view_;
  const Instant stop_at_;
  std::shared_ptr<Script> script_;
};

}  // namespace

Instant script_stop(const net::Request& request) {
  return std::min(monotonic_now() + limits::script_time_max, request.answer_by);
}

sql::UserFunctions user_functions(const Container& container, View& view, Instant stop_at) {
  const auto functions = std::make_shared<Functions>(container, view, stop_at);
  return [functions](const std::string& name) { return functions->find(name); };
}

}  // namespace mayfly::cosmos
