// How filters are found. For each filter the matcher chooses the most selective condition that is
// necessary for it: a field equals a value, lies in a range, or exists. For an Or it chooses one
// for each operand. A document is looked up by each indexed field. Each filter found this way is
// then evaluated, unless the chosen condition is the whole filter.
#include "dialect/kuzzle/koncorde/matcher.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "dialect/kuzzle/koncorde/nodes.h"
#include "dialect/kuzzle/koncorde/ranges.h"
#include "expr/evaluation/evaluate.h"
#include "value/json/json.h"

namespace mayfly::kuzzle::koncorde {
namespace {

// Necessary conditions that a filter is indexed by. They point into the filter.
struct Cover {
  std::vector<const Leaf*> handles;  // null: matches every document
  double cost = 0;                   // the estimated matches among a thousand documents
  bool is_exact = false;             // a document that satisfies one handle matches the filter
};

constexpr double cost_of_any = 1'000;

// The selectivity of the leaf.
Cover cover_of(const Leaf& leaf) {
  const auto values = static_cast<double>(leaf.values.size());
  if (leaf.is_negated) {
    if (leaf.kind == Leaf::Kind::exists) return {{&leaf}, cost_of_any * 0.8, true};
    return {{nullptr}, cost_of_any, false};
  }
  switch (leaf.kind) {
    case Leaf::Kind::nothing: return {{}, 0, true};
    case Leaf::Kind::ids: return {{&leaf}, values / 1'000, true};
    case Leaf::Kind::equals: return {{&leaf}, values, true};
    case Leaf::Kind::holds: return {{&leaf}, 2, true};
    case Leaf::Kind::range: {
      const bool is_closed = leaf.from.has_value() && leaf.to.has_value();
      return {{&leaf}, is_closed ? 10.0 : cost_of_any / 2, true};
    }
    case Leaf::Kind::exists: return {{&leaf}, cost_of_any * 0.7, true};
    case Leaf::Kind::regexp:
    case Leaf::Kind::part:
    case Leaf::Kind::place:
    case Leaf::Kind::item: return {{&leaf}, cost_of_any * 0.6, false};
  }
  return {{nullptr}, cost_of_any, false};
}

Cover cover_of(const Node& node) {
  if (node.kind == Node::Kind::all) return {{nullptr}, cost_of_any, true};
  if (node.kind == Node::Kind::leaf) return cover_of(node.leaf);
  if (node.kind == Node::Kind::every) {
    Cover best = cover_of(*node.operands.front());
    for (const NodePtr& operand : node.operands) {
      Cover other = cover_of(*operand);
      if (other.cost < best.cost) best = std::move(other);
    }
    best.is_exact = false;
    return best;
  }
  Cover all{{}, 0, true};
  for (const NodePtr& operand : node.operands) {
    Cover one = cover_of(*operand);
    all.handles.insert(all.handles.end(), one.handles.begin(), one.handles.end());
    all.cost += one.cost;
    all.is_exact = all.is_exact && one.is_exact;
  }
  return all;
}

using Ids = std::set<FilterId>;
using IdsByValue = std::unordered_map<std::string, Ids>;

void put(IdsByValue& index, const Value& value, FilterId id) {
  index[render_json(value)].insert(id);
}
void take(IdsByValue& index, const Value& value, FilterId id) {
  const auto found = index.find(render_json(value));
  if (found == index.end()) return;
  found->second.erase(id);
  if (found->second.empty()) index.erase(found);
}

// The filters that are indexed by one field.
struct FieldIndex {
  ExprPtr field;
  IdsByValue equals;
  IdsByValue holds;
  Ids exists;
  Ids absent;
  RangeIndex ranges;

  bool empty() const {
    return equals.empty() && holds.empty() && exists.empty() && absent.empty() && ranges.empty();
  }

  void change(const Leaf& leaf, FilterId id, bool adds) {
    const auto change_ids = [&](Ids& ids) { adds ? (void)ids.insert(id) : (void)ids.erase(id); };
    switch (leaf.kind) {
      case Leaf::Kind::equals:
        for (const Value& value : leaf.values) (adds ? put : take)(equals, value, id);
        break;
      case Leaf::Kind::holds: (adds ? put : take)(holds, leaf.values.front(), id); break;
      case Leaf::Kind::range:
        adds ? ranges.add(leaf.from, leaf.to, id) : ranges.remove(leaf.from, leaf.to, id);
        break;
      case Leaf::Kind::exists: change_ids(leaf.is_negated ? absent : exists); break;
      default: change_ids(exists); break;
    }
  }

  template <class Take>
  void look_up(const Value& value, const Take& found) const {
    const bool is_there = !value.is_missing() && !value.is_null();
    for (const FilterId id : is_there ? exists : absent) found(id);
    const auto in = [&](const IdsByValue& index, const Value& expected) {
      if (index.empty() || expected.is(Kind::object) || expected.is(Kind::array)) return;
      const auto ids = index.find(render_json(expected));
      if (ids == index.end()) return;
      for (const FilterId id : ids->second) found(id);
    };
    if (!value.is_missing()) in(equals, value);
    if (value.is_number()) ranges.look_up(value.number(), found);
    if (!value.is(Kind::array) || holds.empty()) return;
    for (const Value& item : value.array()) in(holds, item);
  }
};

// The values that filters read of a document.
class SubjectScope final : public Scope {
 public:
  explicit SubjectScope(const Subject& subject) : subject_(subject), id_(subject.id) {}
  Value field(Slot slot, const Field& field) const override {
    const Value* found = find(slot, field);
    return found ? *found : Value();
  }
  const Value* find(Slot slot, const Field& field) const override {
    if (slot != 0) return nullptr;
    if (field.part == Part::body) return find_at(subject_.body, field.path);
    const bool is_id = !subject_.id.empty() && field == Field::metadata("id");
    return is_id ? &id_ : nullptr;
  }

 private:
  const Subject& subject_;
  const Value id_;
};

Result<bool> holds(const Filter& filter, const Scope& scope, Meter& meter) {
  meter.begin_evaluation();
  const auto is_true = truth(*filter.condition(), scope, meter);
  if (is_true) return *is_true == Truth::yes;
  if (is_true.error().code == Code::timed_out) return tl::unexpected(is_true.error());
  return false;
}

bool holds(const Filter& filter, const Scope& scope) {
  Meter endless;
  return holds(filter, scope, endless).value_or(false);
}

}  // namespace

bool fits(const Filter& filter, const Subject& subject) {
  return holds(filter, SubjectScope(subject));
}

Result<bool> fits(const Filter& filter, const Subject& subject, Meter& meter) {
  return holds(filter, SubjectScope(subject), meter);
}

namespace {

// A copy to find the filter by. Only evaluation needs the expression, and the index has the path.
std::unique_ptr<const Leaf> handle_of(const Leaf* leaf) {
  if (leaf == nullptr) return nullptr;
  auto handle = std::make_unique<Leaf>(*leaf);
  handle->condition = nullptr;
  handle->path = {};
  return handle;
}

}  // namespace

struct Matcher::State {
  // There are many: a filter that needs no evaluation is not kept.
  struct Known {
    std::optional<Filter> filter;  // nullopt: a document that satisfies one handle matches
    std::vector<std::unique_ptr<const Leaf>> handles;  // null: matches every document
  };
  std::map<FilterId, Known> filters;
  std::map<std::string, FieldIndex> fields;
  IdsByValue ids;
  Ids always;
  FilterId next = 1;
  std::uint64_t evaluations = 0;

  void change(const Leaf* handle, FilterId id, bool adds) {
    if (handle == nullptr) {
      adds ? (void)always.insert(id) : (void)always.erase(id);
      return;
    }
    if (handle->kind == Leaf::Kind::ids) {
      for (const Value& value : handle->values) (adds ? put : take)(ids, value, id);
      return;
    }
    FieldIndex& index = fields[handle->name];
    if (index.field == nullptr) index.field = field_at(handle->path);
    index.change(*handle, id, adds);
    if (index.empty()) fields.erase(handle->name);
  }

  std::set<FilterId> candidates(const Subject& subject, const Scope& scope) const {
    std::set<FilterId> found(always.begin(), always.end());
    const auto take = [&](FilterId id) { found.insert(id); };
    if (!subject.id.empty() && !ids.empty()) {
      const auto named = ids.find(render_json(Value(subject.id)));
      if (named != ids.end()) found.insert(named->second.begin(), named->second.end());
    }
    for (const auto& [name, index] : fields) {
      const auto* field = index.field->as<expr::FieldOf>();
      const Value* value = scope.find(0, field->field);
      index.look_up(value ? *value : Value(), take);
    }
    return found;
  }
};

Matcher::Matcher() : state_(std::make_unique<State>()) {}
Matcher::~Matcher() = default;
Matcher::Matcher(Matcher&&) noexcept = default;
Matcher& Matcher::operator=(Matcher&&) noexcept = default;

FilterId Matcher::add(const Filter& filter) {
  const FilterId id = state_->next++;
  const Cover cover = cover_of(filter.root());
  State::Known& known = state_->filters[id];
  if (!cover.is_exact) known.filter = filter;
  known.handles.reserve(cover.handles.size());
  for (const Leaf* handle : cover.handles) {
    state_->change(handle, id, true);
    known.handles.push_back(handle_of(handle));
  }
  return id;
}

void Matcher::remove(FilterId id) {
  const auto found = state_->filters.find(id);
  if (found == state_->filters.end()) return;
  for (const auto& handle : found->second.handles) state_->change(handle.get(), id, false);
  state_->filters.erase(found);
}

std::vector<FilterId> Matcher::match(const Subject& subject) {
  const SubjectScope scope(subject);
  std::vector<FilterId> matched;
  for (const FilterId id : state_->candidates(subject, scope)) {
    const State::Known& known = state_->filters.at(id);
    if (known.filter) {
      ++state_->evaluations;
      if (!holds(*known.filter, scope)) continue;
    }
    matched.push_back(id);
  }
  return matched;
}

std::vector<Matcher::Candidate> Matcher::candidates(const Subject& subject) const {
  const SubjectScope scope(subject);
  std::vector<Candidate> found;
  for (const FilterId id : state_->candidates(subject, scope)) {
    found.push_back({id, state_->filters.at(id).filter});
  }
  return found;
}

std::size_t Matcher::size() const {
  return state_->filters.size();
}

std::uint64_t Matcher::evaluations() const {
  return state_->evaluations;
}

}  // namespace mayfly::kuzzle::koncorde
