// One row for each combination of key values, with aggregates over its rows.
#include <algorithm>
#include <map>
#include <memory>

#include "expr/evaluation/evaluate.h"
#include "query/kept/kept_results.h"
#include "query/operators/reading/access.h"
#include "query/running/rows.h"
#include "value/order/order.h"
#include "value/order/sort_key.h"

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
using Groups = std::map<Keys, Accumulators, GroupOrder>;

class GroupRows final : public Rows {
 public:
  GroupRows(const PlannedGroup& node, Context context, RowsPtr input)
      : node_(node), context_(context), input_(std::move(input)) {}

  // Sets the input, if it only needs to be counted.
  void count(AccessRows* access) { counted_ = access; }
  // Keeps the groups for later pages.
  void keep_as(KeptResults::Source source) { source_ = std::move(source); }
  // Uses the groups that an earlier page has kept.
  void begin_with(std::shared_ptr<const Groups> groups) { groups_ = std::move(groups); }

  Result<bool> next(QueryRow& row) override {
    if (!next_) TRY(begin());
    if (*next_ == groups_->end()) return false;
    const auto& [keys, accumulators] = **next_;
    last_ = &keys;
    row = QueryRow();
    row.around = context_.outer;
    Value object = object_of(keys, accumulators);
    if (node_.slot == 0) {
      row.value = std::move(object);
    } else {
      row.bound.push_back({node_.slot, std::move(object)});
    }
    ++*next_;
    return true;
  }

  void save_position(Bookmark& bookmark) const override {
    AtGroup at;
    for (const Value& value : *last_) {
      // If a value is too long for a bookmark, rows can only be counted.
      if (!put_sort_key(at.keys.emplace_back(), value)) {
        bookmark.position = AtCount{};
        return;
      }
    }
    bookmark.position = std::move(at);
  }

 private:
  Result<void> begin() {
    if (groups_ == nullptr) TRY(gather());
    const auto* at = context_.resume ? std::get_if<AtGroup>(&context_.resume->position) : nullptr;
    next_ = at == nullptr ? groups_->begin() : groups_->upper_bound(TRY(keys_at(*at)));
    return {};
  }

  // Reads all of the input.
  Result<void> gather() {
    Groups groups;
    if (node_.keys.empty()) groups.emplace(Keys(), start());
    if (counted_ != nullptr && TRY(add_count(groups.begin()->second))) {
      groups_ = std::make_shared<const Groups>(std::move(groups));
      return {};
    }
    QueryRow row;
    std::size_t rows = 0;
    Instant until = Instant::never();
    for (; TRY(input_->next(row)); ++rows) {
      TRY(add(row, groups));
      until = row.document ? std::min(until, row.document->death) : Instant::beginning();
    }
    input_.reset();
    auto made = std::make_shared<const Groups>(std::move(groups));
    groups_ = made;
    if (!source_ || rows < context_.kept->bounds().rows_min) return {};
    context_.kept->keep<Groups>(*std::move(source_), {context_.view->now(), until}, bytes_,
                                std::move(made));
    return {};
  }

  // Adds all rows by their number alone. Returns whether it could.
  Result<bool> add_count(Accumulators& accumulators) {
    const auto rows = TRY(counted_->count_at_once());
    if (!rows) return false;
    for (std::size_t i = 0; i < accumulators.size(); ++i) {
      const Value& value = node_.aggregates[i].value->as<expr::Literal>()->value;
      if (!accumulators[i]->add_times(value, *rows)) {
        accumulators = start();
        return false;
      }
    }
    return true;
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

  Result<void> add(const QueryRow& row, Groups& groups) {
    Keys keys;
    for (const Named& key : node_.keys) {
      keys.push_back(TRY(evaluate(*key.value, row, context_.budget.meter)));
    }
    auto group = groups.find(keys);
    if (group == groups.end()) {
      std::size_t bytes = node_.aggregates.size() * sizeof(Accumulators);
      for (const Value& key : keys) bytes += weight(key);
      TRY(context_.budget.hold(bytes, "group"));
      bytes_ += bytes;
      group = groups.emplace(std::move(keys), start()).first;
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
      if (after <= before) continue;
      bytes_ += after - before;
      TRY(context_.budget.grow(after - before, "group"));
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

  const PlannedGroup& node_;
  Context context_;
  AccessRows* counted_ = nullptr;  // input_, if the values of its rows do not matter
  RowsPtr input_;                  // null once it has been read, or if the groups are known
  std::optional<KeptResults::Source> source_;
  std::size_t bytes_ = 0;                 // of groups_
  std::shared_ptr<const Groups> groups_;  // null until they are computed
  std::optional<Groups::const_iterator> next_;
  const Keys* last_ = nullptr;  // of the group that was returned last
};

// The input, if the node only needs the number of its rows: there is one group, over documents, and
// all aggregates are over constants.
const Access* only_counted(const PlannedGroup& node) {
  const auto is_constant = [](const NamedAggregate& aggregate) {
    return aggregate.value->template as<expr::Literal>() != nullptr;
  };
  if (!node.keys.empty() || !std::ranges::all_of(node.aggregates, is_constant)) return nullptr;
  return node.input->as<Access>();
}

}  // namespace

RowsPtr open_rows(const PlannedGroup& node, Context context, Demand) {
  auto source = context.kept ? source_of(PlanTree{node}, *context.view) : std::nullopt;
  if (source) {
    if (auto groups = context.kept->find<Groups>(*source, context.view->now())) {
      auto rows = std::make_unique<GroupRows>(node, context, nullptr);
      rows->begin_with(std::move(groups));
      return rows;
    }
  }
  Context below = context;
  below.resume = nullptr;  // the whole input is read again; groups of earlier pages are left out
  std::unique_ptr<GroupRows> rows;
  if (const Access* access = only_counted(node)) {
    auto input = open_access(*access, below, Demand::unknown());
    AccessRows* counted = input.get();
    rows = std::make_unique<GroupRows>(node, context, std::move(input));
    rows->count(counted);
  } else {
    rows = std::make_unique<GroupRows>(node, context, open(*node.input, below, Demand::unknown()));
  }
  if (source) rows->keep_as(*std::move(source));
  return rows;
}

}  // namespace mayfly::query
