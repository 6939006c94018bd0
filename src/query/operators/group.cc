// One row for each combination of key values, with aggregates over its rows.
#include <map>
#include <memory>

#include "expr/evaluate.h"
#include "query/rows.h"
#include "value/order.h"

namespace mayfly::query {
namespace {

using Keys = std::vector<Value>;

struct Before {
  bool operator()(const Keys& a, const Keys& b) const {
    for (std::size_t i = 0; i < a.size(); ++i) {
      const auto o = order(a[i], b[i]);
      if (o != 0) return o < 0;
    }
    return false;
  }
};

using Accumulators = std::vector<std::unique_ptr<Accumulator>>;

class GroupRows final : public Rows {
 public:
  GroupRows(const Group& node, Context context, RowsPtr input)
      : node_(node), context_(context), input_(std::move(input)) {}

  Result<bool> next(Row& row) override {
    if (input_ != nullptr) TRY(gather());
    if (next_ == groups_.end()) return false;
    row.document.reset();
    row.bound.clear();
    row.value = object_of(next_->first, next_->second);
    ++next_;
    return true;
  }

 private:
  // Reads all of the input.
  Result<void> gather() {
    if (node_.keys.empty()) groups_.emplace(Keys(), start());
    Row row;
    while (TRY(input_->next(row))) TRY(add(row));
    input_.reset();
    next_ = groups_.begin();
    return {};
  }

  Result<void> add(const Row& row) {
    Keys keys;
    for (const Named& key : node_.keys) {
      keys.push_back(TRY(evaluate(*key.value, row, &context_.budget.meter)));
    }
    auto group = groups_.find(keys);
    if (group == groups_.end()) {
      std::size_t bytes = node_.aggregates.size() * sizeof(Accumulators);
      for (const Value& key : keys) bytes += weight(key);
      TRY(context_.budget.hold(bytes, "group"));
      group = groups_.emplace(std::move(keys), start()).first;
    }
    for (std::size_t i = 0; i < node_.aggregates.size(); ++i) {
      const Value value = TRY(evaluate(*node_.aggregates[i].value, row, &context_.budget.meter));
      Accumulator& accumulator = *group->second[i];
      const std::size_t before = accumulator.bytes_held();
      accumulator.add(value);
      const std::size_t after = accumulator.bytes_held();
      if (after > before) TRY(context_.budget.grow(after - before, "group"));
    }
    return {};
  }

  Accumulators start() const {
    Accumulators started;
    for (const NamedAggregate& aggregate : node_.aggregates) {
      started.push_back(aggregate.aggregate->start());
    }
    return started;
  }

  Value object_of(const Keys& keys, const Accumulators& accumulators) const {
    Object object;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (!keys[i].is_missing()) object.set(node_.keys[i].name, keys[i]);
    }
    for (std::size_t i = 0; i < accumulators.size(); ++i) {
      Value result = accumulators[i]->result();
      if (!result.is_missing()) object.set(node_.aggregates[i].name, std::move(result));
    }
    return Value(std::move(object));
  }

  const Group& node_;
  Context context_;
  RowsPtr input_;
  std::map<Keys, Accumulators, Before> groups_;
  std::map<Keys, Accumulators, Before>::iterator next_;
};

}  // namespace

RowsPtr open_rows(const Group& node, Context context, Demand) {
  return std::make_unique<GroupRows>(node, context, open(*node.input, context, Demand::unknown()));
}

}  // namespace mayfly::query
