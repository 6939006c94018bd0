// Running subqueries: they never leave the document that they stand in, so their rows are few.
#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "base/limits.h"
#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/sql/clauses.h"
#include "expr/evaluate.h"
#include "value/order.h"

namespace mayfly::cosmos::sql {
namespace {

// The scope around a subquery, and what the subquery itself binds.
class InnerScope final : public Scope {
 public:
  explicit InnerScope(const Scope& outer) : outer_(outer) {}

  Value field(Slot slot, const Field& field) const override {
    if (!binds(slot)) return outer_.field(slot, field);
    const Value* found = find(slot, field);
    return found != nullptr ? *found : Value();
  }
  const Value* find(Slot slot, const Field& field) const override {
    for (const auto& [own, value] : bound_) {
      if (own == slot) return find_at(value, field.path);
    }
    return outer_.find(slot, field);
  }
  const Packed* packed() const override { return outer_.packed(); }
  const Scope& row() const override { return outer_.row(); }

  void bind(Slot slot, Value value) { bound_.emplace_back(slot, std::move(value)); }
  void unbind() { bound_.pop_back(); }

 private:
  bool binds(Slot slot) const {
    return std::any_of(bound_.begin(), bound_.end(),
                       [slot](const auto& b) { return b.first == slot; });
  }

  const Scope& outer_;
  std::vector<std::pair<Slot, Value>> bound_;
};

struct Before {
  bool operator()(const std::vector<Value>& a, const std::vector<Value>& b) const {
    for (std::size_t i = 0; i < a.size(); ++i) {
      const auto o = order(a[i], b[i]);
      if (o != 0) return o < 0;
    }
    return false;
  }
};

struct OrderedRow {
  std::vector<Value> keys;
  Value value;
};

class Run {
 public:
  Run(const Clauses& clauses, const Scope& outer, Meter& meter)
      : clauses_(clauses), scope_(outer), meter_(meter) {}

  Result<std::vector<Value>> rows() {
    if (clauses_.is_grouped && clauses_.keys.empty())
      groups_.emplace(std::vector<Value>(), start());
    TRY(descend(0));
    if (clauses_.is_grouped) TRY(emit_groups());
    sort();
    std::vector<Value> values;
    for (OrderedRow& row : rows_) values.push_back(std::move(row.value));
    if (clauses_.is_distinct) TRY(drop_repeated(values));
    cut(values);
    return values;
  }

 private:
  using Accumulators = std::vector<std::unique_ptr<Accumulator>>;

  Result<void> descend(std::size_t step) {
    if (step == clauses_.steps.size()) return take_row();
    const Clauses::Step& unnest = clauses_.steps[step];
    const Value over = TRY(evaluate(*unnest.over, scope_, meter_));
    if (!over.is(Kind::array)) return {};
    const std::size_t bytes = weight(over);
    TRY(hold(bytes));
    for (const Value& item : over.array()) {
      TRY(meter_.tick());
      scope_.bind(unnest.slot, item);
      const auto done = descend(step + 1);
      scope_.unbind();
      TRY(Result<void>(done));
    }
    held_ -= bytes;
    return {};
  }

  Result<void> take_row() {
    TRY(meter_.tick());
    for (const ExprPtr& condition : clauses_.conditions) {
      if (TRY(truth(*condition, scope_, meter_)) != Truth::yes) return {};
    }
    return clauses_.is_grouped ? add_to_group() : emit();
  }

  Result<void> emit() {
    Value value = TRY(evaluate(*clauses_.selected, scope_, meter_));
    if (value.is_missing()) return {};
    TRY(hold(sizeof(OrderedRow) + weight(value)));
    OrderedRow row{.value = std::move(value)};
    for (const query::SortKey& key : clauses_.order) {
      row.keys.push_back(TRY(evaluate(*key.value, scope_, meter_)));
      TRY(hold(weight(row.keys.back())));
    }
    if (rows_.size() == limits::sort_rows_max) {
      return fail(Code::too_large, "a subquery has too many rows");
    }
    rows_.push_back(std::move(row));
    return {};
  }

  Accumulators start() const {
    Accumulators started;
    for (const auto& aggregate : clauses_.aggregates)
      started.push_back(aggregate.aggregate->start());
    return started;
  }

  Result<void> add_to_group() {
    std::vector<Value> keys;
    for (const query::Named& key : clauses_.keys) {
      keys.push_back(TRY(evaluate(*key.value, scope_, meter_)));
    }
    auto group = groups_.find(keys);
    if (group == groups_.end()) {
      for (const Value& key : keys) TRY(hold(weight(key)));
      TRY(hold(clauses_.aggregates.size() * sizeof(Accumulators)));
      group = groups_.emplace(std::move(keys), start()).first;
    }
    for (std::size_t i = 0; i < clauses_.aggregates.size(); ++i) {
      const Value value = TRY(evaluate(*clauses_.aggregates[i].value, scope_, meter_));
      if (value.is(Kind::array)) {
        TRY(meter_.tick(static_cast<std::uint32_t>(value.array().size())));
      }
      Accumulator& accumulator = *group->second[i];
      const std::size_t before = accumulator.bytes_held();
      accumulator.add(value);
      const std::size_t after = accumulator.bytes_held();
      if (after > before) TRY(hold(after - before));
    }
    return {};
  }

  Result<void> emit_groups() {
    for (const auto& [keys, accumulators] : groups_) {
      Object object;
      for (std::size_t i = 0; i < keys.size(); ++i) object.set(clauses_.keys[i].name, keys[i]);
      for (std::size_t i = 0; i < accumulators.size(); ++i) {
        object.set(clauses_.aggregates[i].name, accumulators[i]->result());
      }
      scope_.bind(clauses_.group_slot, Value(std::move(object)));
      const auto done = emit();
      scope_.unbind();
      TRY(Result<void>(done));
    }
    return {};
  }

  void sort() {
    if (clauses_.order.empty()) return;
    std::stable_sort(rows_.begin(), rows_.end(), [this](const OrderedRow& a, const OrderedRow& b) {
      for (std::size_t i = 0; i < a.keys.size(); ++i) {
        const auto o = order(a.keys[i], b.keys[i]);
        if (o != 0) return clauses_.order[i].is_descending ? o > 0 : o < 0;
      }
      return false;
    });
  }

  struct ValueBefore {
    bool operator()(const Value& a, const Value& b) const { return order(a, b) < 0; }
  };

  Result<void> drop_repeated(std::vector<Value>& values) {
    std::set<Value, ValueBefore> seen;
    std::vector<Value> kept;
    for (Value& value : values) {
      TRY(meter_.tick(static_cast<std::uint32_t>(1 + weight(value) / sizeof(Value))));
      if (seen.insert(value).second) kept.push_back(std::move(value));
    }
    values = std::move(kept);
    return {};
  }

  void cut(std::vector<Value>& values) const {
    const std::size_t from = std::min(clauses_.offset, values.size());
    values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(from));
    if (clauses_.limit && values.size() > *clauses_.limit) values.resize(*clauses_.limit);
  }

  // The value of a subquery is counted by the expression around it, too.
  Result<void> hold(std::size_t bytes) {
    held_ += bytes;
    if (held_ <= limits::query_bytes_max) return {};
    return fail(Code::too_large, "A subquery holds more than query_bytes_max (" +
                                     std::to_string(limits::query_bytes_max) + " bytes).");
  }

  const Clauses& clauses_;
  InnerScope scope_;
  Meter& meter_;
  std::size_t held_ = 0;  // bytes of items, rows and groups
  std::vector<OrderedRow> rows_;
  std::map<std::vector<Value>, Accumulators, Before> groups_;
};

}  // namespace

Result<std::vector<Value>> run_subquery(const Clauses& clauses, const Scope& outer, Meter& meter) {
  return Run(clauses, outer, meter).rows();
}

Result<Value> value_of(SubqueryKind kind, std::vector<Value> rows) {
  switch (kind) {
    case SubqueryKind::exists: return Value(!rows.empty());
    case SubqueryKind::array: return Value(Array(std::move(rows)));
    case SubqueryKind::all:
      return Value(
          std::all_of(rows.begin(), rows.end(), [](const Value& v) { return v.is_true(); }));
    case SubqueryKind::first: return rows.empty() ? Value() : std::move(rows.front());
    case SubqueryKind::last: return rows.empty() ? Value() : std::move(rows.back());
    case SubqueryKind::scalar: break;
  }
  if (rows.size() > 1) {
    return tl::unexpected(
        bad_request("The cardinality of a scalar subquery result set cannot be greater than one."));
  }
  return rows.empty() ? Value() : std::move(rows.front());
}

}  // namespace mayfly::cosmos::sql
