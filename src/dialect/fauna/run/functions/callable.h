// Callable: a value that can be called with arguments: a lambda, a user's function, a library
// method bound to its receiver.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "dialect/fauna/values/value.h"

namespace mayfly::fauna {

class Run;

// The accepted number of arguments: min to max.
struct Arity {
  static constexpr std::size_t any = static_cast<std::size_t>(-1);
  std::size_t min = 0;
  std::size_t max = 0;

  bool takes(std::size_t count) const { return count >= min && count <= max; }
  // "exactly 1 argument", "no arguments", "1 or 2 arguments", "at least 1 argument", "any number of
  // arguments". A callback has parameters instead.
  std::string text(std::string_view noun = "argument") const;
};

class Callable {
 public:
  virtual ~Callable() = default;
  // The name in texts: `<lambda>`, `abs()`.
  virtual std::string_view name() const = 0;
  virtual Arity arity() const = 0;
  // The nesting depth of the values that it holds (FqlValue::depth).
  virtual std::uint16_t depth() const { return 0; }
  // The number of arguments must match arity(); Run::call() checks that. Fails as Run::fail() does.
  virtual Result<FqlValue> call(Run& run, std::span<const FqlValue> arguments) const = 0;
};

}  // namespace mayfly::fauna
