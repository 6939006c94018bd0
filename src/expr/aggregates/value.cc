// Picking and collecting values.
#include "expr/aggregates/families.h"
#include "expr/meter.h"
#include "value/order.h"

namespace mayfly {
namespace {

template <bool greatest>
class Extreme final : public Accumulator {
 public:
  void add(const Value& value) override {
    if (value.is_missing()) return;
    if (found_.is_missing() || (greatest ? order(value, found_) > 0 : order(value, found_) < 0)) {
      found_ = value;
    }
  }
  Value result() const override { return found_; }
  std::size_t bytes_held() const override { return weight(found_); }

 private:
  Value found_;
};

class First final : public Accumulator {
 public:
  void add(const Value& value) override {
    if (found_.is_missing()) found_ = value;
  }
  Value result() const override { return found_; }
  std::size_t bytes_held() const override { return weight(found_); }

 private:
  Value found_;
};

class Last final : public Accumulator {
 public:
  void add(const Value& value) override {
    if (!value.is_missing()) found_ = value;
  }
  Value result() const override { return found_; }
  std::size_t bytes_held() const override { return weight(found_); }

 private:
  Value found_;
};

class Collect final : public Accumulator {
 public:
  void add(const Value& value) override {
    if (value.is_missing()) return;
    bytes_ += weight(value);
    found_.push_back(value);
  }
  Value result() const override { return found_; }
  std::size_t bytes_held() const override { return bytes_; }

 private:
  Array found_;
  std::size_t bytes_ = 0;
};

// Whether the decisive truth has been seen.
template <bool decisive>
class Quantifier final : public Accumulator {
 public:
  void add(const Value& value) override {
    if (value.is_true() == decisive) decided_ = true;
  }
  Value result() const override { return decided_ == decisive; }

 private:
  bool decided_ = false;
};

}  // namespace

std::vector<Aggregate> value_aggregates() {
  return {
      {"minimum",
       "The first of the values in the order of all values; missing over none.",
       start<Extreme<false>>,
       {{R"(2, 1, "a", missing)", "1"}, {"", "missing"}}},
      {"maximum",
       "The last of the values in the order of all values; missing over none.",
       start<Extreme<true>>,
       {{R"(2, 1, "a", missing)", R"("a")"}, {"", "missing"}}},
      {"first", "The first value that is not missing.", start<First>, {{"missing, 2, 1", "2"}}},
      {"last", "The last value that is not missing.", start<Last>, {{"2, 1, missing", "1"}}},
      {"collect",
       "An array of the values; what is missing is left out.",
       start<Collect>,
       {{"1, missing, null", "[1,null]"}, {"", "[]"}}},
      {"any",
       "Whether one of the values is true.",
       start<Quantifier<true>>,
       {{"1, true, false", "true"}, {"", "false"}}},
      {"every",
       "Whether all of the values are true.",
       start<Quantifier<false>>,
       {{"true, true", "true"}, {"true, missing", "false"}, {"", "true"}}},
  };
}

}  // namespace mayfly
