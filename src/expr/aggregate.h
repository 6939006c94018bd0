// Aggregate: one row of the library of functions over many values. Dialects differ in the values
// that they pass to it: in their expressions, they skip values by the function `when` and refuse
// them by Must.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "expr/function.h"
#include "value/value.h"

namespace mayfly {

// An aggregation in progress. Missing values are added as well; each aggregate defines their
// effect. Nothing fails: a result that cannot be computed is missing. Threads: one at a time.
class Accumulator {
 public:
  virtual ~Accumulator() = default;
  virtual void add(const Value& value) = 0;
  // Adds the same value so many times, if that takes no longer than once; else returns false and
  // adds nothing.
  virtual bool add_times(const Value& value, std::uint64_t times) {
    static_cast<void>(value);
    static_cast<void>(times);
    return false;
  }
  virtual Value result() const = 0;
  // The bytes of memory that it has allocated since it was created.
  virtual std::size_t bytes_held() const { return 0; }
};

struct Aggregate {
  std::string_view name;
  std::string_view summary;
  std::unique_ptr<Accumulator> (*start)();
  std::vector<Example> examples;  // the arguments are the values, in order
};

// Null if there is no aggregate of that name.
const Aggregate* find_aggregate(std::string_view name);
std::span<const Aggregate> aggregates();

}  // namespace mayfly
