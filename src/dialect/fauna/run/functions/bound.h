// Function values that are not lambdas: a library method with its receiver, a user's function, an
// index. `is_of_query`: the query itself has made the value. It keeps the query's own rights, also
// when it is passed to a function with a role.
#pragma once

#include <memory>
#include <string>

#include "dialect/fauna/library/method.h"
#include "dialect/fauna/run/functions/callable.h"

namespace mayfly::fauna {

class BoundMethod final : public Callable {
 public:
  BoundMethod(const Method& method, FqlValue self, bool is_of_query);
  std::string_view name() const override { return name_; }
  Arity arity() const override { return {0, Arity::any}; }  // call_method() checks
  Result<FqlValue> call(Run& run, std::span<const FqlValue> arguments) const override;
  std::uint16_t depth() const override { return self_.depth(); }
  const Method& method() const { return method_; }
  const FqlValue& self() const { return self_; }
  bool is_of_query() const { return is_of_query_; }

 private:
  const Method& method_;
  const FqlValue self_;
  const bool is_of_query_;
  const std::string name_;
};

// An index of a collection; it is called with its terms.
class BoundIndex final : public Callable {
 public:
  BoundIndex(std::string collection, std::string index, bool is_of_query);
  std::string_view name() const override { return name_; }
  Arity arity() const override { return {0, Arity::any}; }  // read_index() checks
  Result<FqlValue> call(Run& run, std::span<const FqlValue> arguments) const override;

 private:
  const std::string collection_;
  const std::string index_;
  const bool is_of_query_;
  const std::string name_;
};

template <class T, class... Arguments>
FqlValue function_value(Arguments&&... arguments) {
  return FqlValue(std::shared_ptr<const Callable>(
      std::make_shared<const T>(std::forward<Arguments>(arguments)...)));
}

}  // namespace mayfly::fauna
