// Function: one row of the library. A function's row (functions/*.cc, one family in each file)
// defines all of it: code, documentation and tests (every example runs) read the row.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "expr/expr.h"
#include "value/value.h"

namespace mayfly {

// The evaluated arguments of one call. Reading past the last one gives missing, so an omitted
// argument is the same as a missing one.
class Arguments {
 public:
  Arguments(std::span<const Value* const> values, const expr::Prepared* prepared)
      : values_(values), prepared_(prepared) {}
  const Value& operator[](std::size_t i) const {
    return i < values_.size() ? *values_[i] : missing;
  }
  std::size_t size() const { return values_.size(); }
  const expr::Prepared* prepared() const { return prepared_; }

 private:
  static const Value missing;
  std::span<const Value* const> values_;
  const expr::Prepared* prepared_;
};

// Arguments and result as text: JSON, and also missing, infinity, nan, time("…"), date("…"),
// binary("base64"), reference("collection", "id").
struct Example {
  std::string_view arguments;
  std::string_view result;
};

// The comparisons that the evaluator can decide in packed bytes and that the planner can answer
// from an index.
enum class Comparison : std::uint8_t {
  none,
  equal,
  not_equal,
  less,
  less_or_equal,
  greater,
  greater_or_equal
};

inline constexpr std::size_t any_number = 255;  // of arguments: more than 255 are allowed, too

// Stored indexes and filters of clients use the name: it and the results for given arguments never
// change.
struct Function {
  std::string_view name;
  std::string_view summary;  // one sentence for the documentation
  std::size_t arguments_min;
  std::size_t arguments_max;  // any_number: no bound
  // Gives missing for arguments of the wrong kind. Fails only with too_large.
  Result<Value> (*apply)(const Arguments&);
  std::vector<Example> examples;  // at least one
  std::string_view symbol = {};   // if it is written between its two arguments
  Comparison comparison = Comparison::none;
  bool gives_truth = false;  // its value is true, false or missing
  bool is_never_missing = false;
  bool is_finite = false;  // never NaN or infinite, although its family may give such numbers
  // Called once when a call is built, with the literal arguments (null for others). May return
  // null.
  std::shared_ptr<const expr::Prepared> (*prepare)(std::span<const Value* const>) = nullptr;
  Effect effect = Effect::pure;
};

// Null if there is no function of that name.
const Function* find_function(std::string_view name);
// The whole library, family by family.
struct Family {
  std::string_view name;
  std::span<const Function> functions;
  bool may_be_infinite = false;  // whether it computes numbers that may be NaN or infinite
};
std::span<const Family> function_families();

}  // namespace mayfly
