// The functions that a query can name, and the rows of the library that implement them. Source:
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

// What a call may depend on besides its arguments. A query has one now.
struct CallContext {
  Instant now;
  std::shared_ptr<Random> random;  // used by RAND for each row
  std::string language = {};       // by which full texts are stemmed
};

struct NamedFunction {
  std::string_view name;  // in capitals
  std::size_t arguments_min;
  std::size_t arguments_max;  // any_number: there is no bound
  std::string_view row = {};  // of the library's functions, or of its aggregates
  bool is_aggregate = false;
  // Makes the expression of a call. Null: a call of `row` with the same arguments. Others select a
  // row by the arguments, or combine several. `other` is the second row of functions with two.
  ExprPtr (*write)(const NamedFunction&, ExprList, const CallContext&) = nullptr;
  std::string_view other = {};
};

// Whether its result depends on its arguments alone: not on the time, and not on chance.
bool is_deterministic(const NamedFunction& function);
// Whatever the case of the letters. Null if there is none of that name.
const NamedFunction* find_name(std::string_view name);
std::span<const NamedFunction> named_functions();

// The call of a function that is no aggregate. The caller has checked the number of arguments.
ExprPtr call_of(const NamedFunction& function, ExprList arguments, const CallContext&);
// The aggregate's row in the library; it has one argument.
const Aggregate& aggregate_of(const NamedFunction& function);

}  // namespace mayfly::cosmos::sql
