// Aggregate: one row of the library of functions over many values. What differs between dialects is
// which values they hand in: leave out with when(…), refuse with Must.
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

// One aggregate under way. Missing values are handed in, too; each aggregate says what it makes of
// them.
class Accumulator {
 public:
  virtual ~Accumulator() = default;
  virtual void add(const Value& value) = 0;
  // The same value so many times, where that takes no longer than once; else false, and nothing is
  // added.
  virtual bool add_times(const Value& value, std::uint64_t times) {
    static_cast<void>(value);
    static_cast<void>(times);
    return false;
  }
  virtual Value result() const = 0;
  // How many bytes it has come to hold since it was made.
  virtual std::size_t bytes_held() const { return 0; }
};

struct Aggregate {
  std::string_view name;
  std::string_view summary;
  std::unique_ptr<Accumulator> (*start)();
  std::vector<Example> examples;  // the arguments are the values, in order
};

const Aggregate* find_aggregate(std::string_view name);
std::span<const Aggregate> aggregates();

}  // namespace mayfly
