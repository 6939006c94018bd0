// Counting and summing.
#include <cmath>

#include "expr/aggregates/families.h"

namespace mayfly {
namespace {

class Count final : public Accumulator {
 public:
  void add(const Value& value) override { count_ += value.is_missing() ? 0 : 1; }
  bool add_times(const Value& value, std::uint64_t times) override {
    count_ += value.is_missing() ? 0 : static_cast<std::int64_t>(times);
    return true;
  }
  Value result() const override { return count_; }

 private:
  std::int64_t count_ = 0;
};

class CountTrue final : public Accumulator {
 public:
  void add(const Value& value) override { count_ += value.is_true() ? 1 : 0; }
  Value result() const override { return count_; }

 private:
  std::int64_t count_ = 0;
};

// A sum that is exact while all values are whole and it fits 64 bits. Reals are summed with error
// compensation (Neumaier), so that the order of many small ones hardly matters.
class Total {
 public:
  void add(const Value& number) {
    ++count_;
    std::int64_t sum = 0;
    if (number.is(Kind::integer) && !__builtin_add_overflow(whole_, number.integer(), &sum)) {
      whole_ = sum;
      return;
    }
    is_whole_ = false;
    add_real(number.number());
  }
  Value sum() const {
    if (is_whole_) return whole_;
    return static_cast<double>(whole_) + real_ + error_;
  }
  std::int64_t count() const { return count_; }

 private:
  void add_real(double x) {
    const double sum = real_ + x;
    const double lost = std::abs(real_) >= std::abs(x) ? (real_ - sum) + x : (x - sum) + real_;
    if (lost == lost) error_ += lost;  // infinities leave no error to compensate
    real_ = sum;
  }

  bool is_whole_ = true;
  std::int64_t whole_ = 0;
  double real_ = 0;
  double error_ = 0;
  std::int64_t count_ = 0;
};

class Sum : public Accumulator {
 public:
  void add(const Value& value) override {
    if (value.is_number()) {
      total_.add(value);
    } else if (!value.is_missing()) {
      has_other_ = true;
    }
  }
  Value result() const override { return has_other_ ? Value() : total_.sum(); }

 protected:
  Total total_;
  bool has_other_ = false;
};

class Average final : public Sum {
 public:
  Value result() const override {
    if (has_other_ || total_.count() == 0) return Value();
    return total_.sum().number() / static_cast<double>(total_.count());
  }
};

}  // namespace

std::vector<Aggregate> number_aggregates() {
  return {
      {"count",
       "How many values there are; null is one, missing is none.",
       start<Count>,
       {{"1, null, missing", "2"}, {"", "0"}}},
      {"count_true",
       "How often the value is true.",
       start<CountTrue>,
       {{"true, 1, false, true", "2"}}},
      {"sum",
       "The sum of the numbers; missing as soon as there is another kind of value.",
       start<Sum>,
       {{"1, 2, missing", "3"},
        {"1, 0.5", "1.5"},
        {"", "0"},
        {"1, null", "missing"},
        {"9223372036854775807, 1", "9223372036854775808"},
        {"0.1, 0.2, 0.3, 0.4", "1"}}},
      {"average",
       "The mean of the numbers; missing over none, and as soon as there is another kind of value.",
       start<Average>,
       {{"1, 2, missing", "1.5"}, {"", "missing"}, {R"(1, "2")", "missing"}}},
  };
}

}  // namespace mayfly
