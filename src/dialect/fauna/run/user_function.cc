// Functions of the schema.
#include <fmt/format.h>

#include "dialect/fauna/run/compile.h"
#include "dialect/fauna/run/interpreter.h"

namespace mayfly::fauna {
namespace {

// A call needs the action `call`; the body runs with the function's role, where it has one.
class UserFunction final : public Callable {
 public:
  UserFunction(std::string name, std::string role, CallablePtr body)
      : name_(std::move(name)), role_(std::move(role)), body_(std::move(body)) {}

  std::string_view name() const override { return body_->name(); }
  Arity arity() const override { return body_->arity(); }

  Result<FqlValue> call(Run& run, std::span<const FqlValue> arguments) const override {
    Interpreter& with = interpreter(run);
    TRY(with.permissions().check_call(name_, arguments));
    if (role_.empty()) return body_->call(run, arguments);
    const Permissions::As as(with.permissions(), role_);
    return body_->call(run, arguments);
  }

 private:
  const std::string name_;
  const std::string role_;
  const CallablePtr body_;
};

}  // namespace

Result<std::shared_ptr<const Callable>> Interpreter::user_function(std::string_view name) {
  const auto known = functions_.find(name);
  if (known != functions_.end()) return known->second;
  const auto row = TRY(reading_.get_system(*find_system("Function"), name));
  if (!row) return nullptr;
  const Value body = row->body.member("body");
  if (!body.is(Kind::text)) return nullptr;
  const Value role = row->body.member("role");
  auto function = std::make_shared<const UserFunction>(
      std::string(name), role.is(Kind::text) ? role.text() : std::string(),
      TRY(compile(*this, fmt::format("*udf:{}*", name), body.text())));
  functions_.emplace(name, function);
  return function;
}

}  // namespace mayfly::fauna
