// One row for each combination of key values, with aggregates over its rows.
#include <map>
#include <memory>

#include "expr/evaluate.h"
#include "query/rows.h"
#include "value/order.h"
#include "value/sort_key.h"

namespace mayfly::query {
namespace {

using Keys = std::vector<Value>;

struct GroupOrder {
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
    last_ = &next_->first;
    row = Row();
    row.around = context_.outer;
    Value object = object_of(next_->first, next_->second);
    if (node_.slot == 0) {
      row.value = std::move(object);
    } else {
      row.bound.push_back({node_.slot, std::move(object)});
    }
    ++next_;
    return true;
  }

  void mark(Bookmark& bookmark) const override {
    AtGroup at;
    for (const Value& value : *last_) {
      // One that is too long for a bookmark leaves the count of rows as the only place there is.
      if (!put_sort_key(at.keys.emplace_back(), value)) {
        bookmark.position = AtCount{};
        return;
      }
    }
    bookmark.position = std::move(at);
  }

 private:
  // Reads all of the input.
  Result<void> gather() {
    if (node_.keys.empty()) groups_.emplace(Keys(), start());
    Row row;
    while (TRY(input_->next(row))) TRY(add(row));
    input_.reset();
    const auto* at = context_.resume ? std::get_if<AtGroup>(&context_.resume->position) : nullptr;
    next_ = at == nullptr ? groups_.begin() : groups_.upper_bound(TRY(keys_at(*at)));
    return {};
  }

  Result<Keys> keys_at(const AtGroup& at) const {
    Keys keys;
    for (const Bytes& key : at.keys) {
      Reader in(key);
      keys.push_back(TRY(take_sort_key(in)));
    }
    if (keys.size() == node_.keys.size()) return keys;
    return fail(Code::invalid, "The bookmark belongs to another query.");
  }

  Result<void> add(const Row& row) {
    Keys keys;
    for (const Named& key : node_.keys) {
      keys.push_back(TRY(evaluate(*key.value, row, context_.budget.meter)));
    }
    auto group = groups_.find(keys);
    if (group == groups_.end()) {
      std::size_t bytes = node_.aggregates.size() * sizeof(Accumulators);
      for (const Value& key : keys) bytes += weight(key);
      TRY(context_.budget.hold(bytes, "group"));
      group = groups_.emplace(std::move(keys), start()).first;
    }
    for (std::size_t i = 0; i < node_.aggregates.size(); ++i) {
      const Value value = TRY(evaluate(*node_.aggregates[i].value, row, context_.budget.meter));
      Accumulator& accumulator = *group->second[i];
      if (value.is(Kind::array)) {
        TRY(context_.budget.meter.tick(static_cast<std::uint32_t>(value.array().size())));
      }
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
  std::map<Keys, Accumulators, GroupOrder> groups_;
  std::map<Keys, Accumulators, GroupOrder>::iterator next_;
  const Keys* last_ = nullptr;  // of the group that was given last
};

}  // namespace

RowsPtr open_rows(const Group& node, Context context, Demand) {
  Context below = context;
  below.resume = nullptr;  // all of the input is read again; groups that were given are left out
  return std::make_unique<GroupRows>(node, context, open(*node.input, below, Demand::unknown()));
}

}  // namespace mayfly::query
