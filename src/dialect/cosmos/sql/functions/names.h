// The functions that a query can name, and the rows of the library that stand behind them. Source:
// spec cosmos.md, sections 19 and 20.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/random.h"
#include "expr/aggregate.h"
#include "expr/expr.h"

namespace mayfly::cosmos::sql {

// What a call may depend on besides its arguments. There is one now in a query.
struct Surroundings {
  Instant now;
  std::shared_ptr<Random> random;  // asked for each row by RAND
  std::string language = {};       // by whose stems full texts are searched
};

struct NamedFunction {
  std::string_view name;  // in capitals
  std::size_t arguments_min;
  std::size_t arguments_max;  // any_number: there is no bound
  std::string_view row = {};  // of the library's functions, or of its aggregates
  bool is_aggregate = false;
  // Where arguments decide which row is meant, or more than one row makes the function: how to
  // write it. `other` is the second row of those that have two.
  ExprPtr (*write)(const NamedFunction&, ExprList, const Surroundings&) = nullptr;
  std::string_view other = {};
};

// Whether it gives the same for the same arguments, whenever it is asked.
bool is_deterministic(const NamedFunction& function);
// Whatever the case of the letters. Null if there is none of that name.
const NamedFunction* find_name(std::string_view name);
std::span<const NamedFunction> named_functions();

// The call of a function that is no aggregate. That there are as many arguments as its row says is
// the caller's promise.
ExprPtr call_of(const NamedFunction& function, ExprList arguments, const Surroundings&);
// The aggregate's row in the library; it has one argument.
const Aggregate& aggregate_of(const NamedFunction& function);

}  // namespace mayfly::cosmos::sql
