// Aggregates that pick or collect values.
#include <set>

#include "expr/aggregates/families.h"
#include "expr/evaluation/meter.h"
#include "value/order/order.h"

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

// Missing once an array or an object has been added.
template <bool greatest>
class ExtremeOfScalars final : public Accumulator {
 public:
  void add(const Value& value) override {
    if (value.is(Kind::array) || value.is(Kind::object)) has_other_ = true;
    if (!has_other_) found_.add(value);
  }
  Value result() const override { return has_other_ ? Value() : found_.result(); }
  std::size_t bytes_held() const override { return found_.bytes_held(); }

 private:
  Extreme<greatest> found_;
  bool has_other_ = false;
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

// Each value once, in the order of the first occurrences.
class CollectDistinct final : public Accumulator {
 public:
  void add(const Value& value) override {
    if (value.is_missing() || !seen_.insert(value).second) return;
    bytes_ += 2 * weight(value) + node_bytes;
    found_.push_back(value);
  }
  Value result() const override { return found_; }
  std::size_t bytes_held() const override { return bytes_; }

 private:
  struct Before {
    bool operator()(const Value& a, const Value& b) const { return order(a, b) < 0; }
  };
  static constexpr std::size_t node_bytes = 32;  // of the set, beside the value

  std::set<Value, Before> seen_;
  Array found_;
  std::size_t bytes_ = 0;
};

// Distinct items of arrays.
class CountDistinctItems final : public Accumulator {
 public:
  void add(const Value& value) override {
    if (!value.is(Kind::array)) return;
    for (const Value& item : value.array()) distinct_.add(item);
  }
  Value result() const override {
    return static_cast<std::int64_t>(distinct_.result().array().size());
  }
  std::size_t bytes_held() const override { return distinct_.bytes_held(); }

 private:
  CollectDistinct distinct_;
};

// Whether the decisive truth has occurred.
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
      {"minimum_of_scalars",
       "The same; missing as soon as there is an array or an object.",
       start<ExtremeOfScalars<false>>,
       {{R"(2, missing, "a", true, null)", "null"},
        {R"("b", "a")", R"("a")"},
        {"1, [1]", "missing"},
        {"", "missing"}}},
      {"maximum_of_scalars",
       "The last of them; missing as soon as there is an array or an object.",
       start<ExtremeOfScalars<true>>,
       {{R"(2, missing, "a", true, null)", R"("a")"}, {"{}, 1", "missing"}, {"", "missing"}}},
      {"first", "The first value that is not missing.", start<First>, {{"missing, 2, 1", "2"}}},
      {"last", "The last value that is not missing.", start<Last>, {{"2, 1, missing", "1"}}},
      {"collect",
       "An array of the values; what is missing is left out.",
       start<Collect>,
       {{"1, missing, null", "[1,null]"}, {"", "[]"}}},
      {"collect_distinct",
       "An array of the values, each once; what is missing is left out.",
       start<CollectDistinct>,
       {{R"(2, "a", missing, 2.0, [1], [1], 1)", R"([2,"a",[1],1])"}, {"", "[]"}}},
      {"count_distinct_items",
       "How many different items the arrays have together.",
       start<CountDistinctItems>,
       {{R"([2,"a"], [2.0], missing, 3, [])", "2"}, {"", "0"}}},
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
