#include "dialect/cosmos/scripts/user_functions.h"

#include <memory>

#include "dialect/cosmos/scripts/definition.h"
#include "dialect/cosmos/scripts/runtime/request_scripts.h"

namespace mayfly::cosmos {
namespace {

// Runs all functions of the query in one process.
class Functions {
 public:
  Functions(const Services& services, const Container& container, View& view, Instant answer_by)
      : services_(services), container_(container), view_(view), answer_by_(answer_by) {}

  Result<std::optional<sql::UserFunction>> find(const std::string& name) {
    const auto definition =
        TRY(find_definition(ResourceKind::user_function, container_, name, view_));
    if (!definition) return std::nullopt;
    if (!sandbox_) TRY(open());
    const std::size_t number = TRY(sandbox_->define(name, definition->body));
    const auto call = [sandbox = sandbox_, number](const Scope&, std::span<const Value> given,
                                                   Meter&) { return sandbox->call(number, given); };
    return sql::UserFunction{call, definition->body};
  }

 private:
  Result<void> open() {
    const Instant stop_at = TRY(script::begin_scripts(answer_by_));
    sandbox_ = TRY(take_sandbox(services_, container_, stop_at));
    return sandbox_->begin({.now = view_.now()});
  }

  const Services& services_;
  const Container& container_;
  View& view_;
  const Instant answer_by_;
  std::shared_ptr<script::Sandbox> sandbox_;
};

}  // namespace

sql::UserFunctions user_functions(const Services& services, const Container& container, View& view,
                                  Instant answer_by) {
  const auto functions = std::make_shared<Functions>(services, container, view, answer_by);
  return [functions](const std::string& name) { return functions->find(name); };
}

}  // namespace mayfly::cosmos
