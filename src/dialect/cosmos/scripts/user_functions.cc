#include "dialect/cosmos/scripts/user_functions.h"

#include <memory>

#include "dialect/cosmos/scripts/definition.h"
#include "dialect/cosmos/scripts/engine.h"

namespace mayfly::cosmos {
namespace {

// One script for all functions of the query.
class Functions {
 public:
  Functions(const Container& container, View& view, Instant answer_by)
      : container_(container), view_(view), answer_by_(answer_by) {}

  Result<std::optional<sql::UserFunction>> find(const std::string& name) {
    const auto definition =
        TRY(find_definition(ResourceKind::user_function, container_, name, view_));
    if (!definition) return std::nullopt;
    if (!script_) TRY(open());
    const std::size_t number = TRY(script_->add_function(name, definition->body));
    const auto call = [script = script_, number](const Scope&, std::span<const Value> given,
                                                 Meter&) { return script->call(number, given); };
    return sql::UserFunction{call, definition->body};
  }

 private:
  Result<void> open() {
    const Instant stop_at = TRY(begin_scripts(answer_by_));
    script_ = TRY(Script::open({.stop_at = stop_at, .now = view_.now()}));
    return {};
  }

  const Container& container_;
  View& view_;
  const Instant answer_by_;
  std::shared_ptr<Script> script_;
};

}  // namespace

sql::UserFunctions user_functions(const Container& container, View& view, Instant answer_by) {
  const auto functions = std::make_shared<Functions>(container, view, answer_by);
  return [functions](const std::string& name) { return functions->find(name); };
}

}  // namespace mayfly::cosmos
