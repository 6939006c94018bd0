// Functions of the schema.
#include "dialect/fauna/run/functions/compile.h"
#include "dialect/fauna/run/interpreter.h"

namespace mayfly::fauna {
namespace {

// A call needs the privilege `call`; the body runs with the function's role, if it has one.
class UserFunction final : public Callable {
 public:
  struct Properties {
    std::string name;
    std::string alias;
    std::string role;
    bool is_of_query = false;  // see BoundMethod
  };
  UserFunction(Properties properties, CallablePtr body)
      : properties_(std::move(properties)), body_(std::move(body)) {}

  std::string_view name() const override { return body_->name(); }
  Arity arity() const override { return body_->arity(); }

  Result<FqlValue> call(Run& run, std::span<const FqlValue> arguments) const override {
    Interpreter& with = interpreter(run);
    const Permissions::OwnRightsScope own(with.permissions(), properties_.is_of_query);
    TRY(with.permissions().check_call(properties_.name, properties_.alias, arguments));
    if (properties_.role.empty()) return body_->call(run, arguments);
    const Permissions::RoleScope as(with.permissions(), properties_.role);
    return body_->call(run, arguments);
  }

 private:
  const Properties properties_;
  const CallablePtr body_;
};

}  // namespace

Result<std::shared_ptr<const Callable>> Interpreter::user_function(std::string_view name) {
  const bool is_of_query = !permissions_.uses_other_role();
  auto& functions = is_of_query ? functions_ : functions_of_others_;
  const auto known = functions.find(name);
  if (known != functions.end()) return known->second;
  const FunctionPtr found = TRY(reading_.function(name));
  if (!found || new_functions_.contains(found->name)) return nullptr;
  auto function = std::make_shared<const UserFunction>(
      UserFunction::Properties{found->name, found->alias, found->role, is_of_query},
      TRY(compile(*this, found->body)));
  functions.emplace(name, function);
  return function;
}

tl::unexpected<Error> Interpreter::fail_missing_function(std::string_view name,
                                                         QueryFailure failure) {
  if (new_functions_.contains(name)) {
    failure.hints.push_back({"A function cannot be created and used in the same query."});
  }
  return fail(std::move(failure));
}

}  // namespace mayfly::fauna
