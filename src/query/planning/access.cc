#include "query/planning/access.h"

#include <algorithm>

#include "expr/analyse.h"
#include "query/planning/ranges.h"
#include "value/order/order.h"
#include "value/order/sort_key.h"

namespace mayfly::query {
namespace {

// With more alternatives than this, the condition is evaluated on the documents instead.
constexpr std::size_t alternatives_max = 256;

bool is_fact(const Field& field, std::initializer_list<std::string_view> names) {
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view name) { return field == Field::metadata(name); });
}

// Matches conditions with the fields of an index, one field after another. The fields so far
// determine prefixes of positions in the index.
class IndexMatcher {
 public:
  IndexMatcher(const Access& access, const Index& index)
      : index_(index), has_one_routing_(access.routing.has_value()) {
    if (access.residual) {
      for (const ExprPtr& part : conjuncts(access.residual)) parts_.push_back({part});
    }
    can_narrow_ = access.residual && !may_fail(*access.residual);
    if (can_narrow_) find_conditions();
    path_.index = index;
    for (const IndexField& field : index.fields) {
      const bool is_whole = index.entries == Entries::whole || is_instant(field.field);
      states_.push_back({.is_ordered = is_whole && !field.is_each,
                         .is_nullable = !is_always_present(field.field)});
    }
  }

  std::optional<Match> run(const PlannedSort* sort) {
    find_ranges();
    if (sort != nullptr) match_.order = order_for(*sort);
    if (match_.order != Match::Order::none) skip_missing();
    if (match_.served.empty() && match_.order == Match::Order::none) return std::nullopt;
    finish();
    match_.path = std::move(path_);
    return std::move(match_);
  }

 private:
  struct Conjunct {
    ExprPtr source;
    std::optional<Condition> condition = std::nullopt;
    bool is_served = false;
    bool is_decided = false;  // by the index alone; otherwise each document is checked again
  };

  // What is known of a field, among the entries of the ranges.
  struct FieldState {
    bool is_fixed = false;       // its part of the position is the same in all entries
    bool has_one_value = false;  // its value is the same in all documents
    bool is_nothing = false;     // its value is null or missing in all documents
    bool is_ordered = false;     // entries are ordered by whole values, not by truncated ones
    bool is_nullable = true;     // some values may be null or missing
  };

  // For one operand of an Or: begins behind the fields that the other conditions fix.
  IndexMatcher(const IndexMatcher& whole, const ExprPtr& operand)
      : index_(whole.index_),
        has_one_routing_(whole.has_one_routing_),
        can_narrow_(true),
        prefixes_(whole.prefixes_),
        states_(whole.states_),
        fixed_(whole.fixed_),
        alternatives_(whole.alternatives_) {
    match_.has_alternatives = whole.match_.has_alternatives;
    for (const ExprPtr& part : conjuncts(operand)) parts_.push_back({part});
    find_conditions();
  }

  void find_conditions() {
    for (Conjunct& part : parts_) {
      part.condition = condition_of(part.source);
      if (!part.condition) part.condition = item_condition_of(part.source);
      if (part.condition && !distinguishes(*part.condition)) part.condition.reset();
    }
  }

  // Narrows by conditions, field after field; then by each Or that begins where they end.
  void find_ranges() {
    while (fixed_ < index_.fields.size() && fix(index_.fields[fixed_])) {
    }
    if (fixed_ < index_.fields.size()) narrow(index_.fields[fixed_]);
    if (ranges_.empty()) {
      for (const Bytes& prefix : prefixes_) ranges_.push_back({prefix, after_prefix(prefix)});
    }
    if (!can_narrow_) return;
    for (Conjunct& part : parts_) {
      if (const auto* either = part.source->as<expr::Or>(); either && !part.is_served) {
        narrow_by(*either, part);
      }
    }
  }

  // Narrows to the union of the operands' ranges, if each operand excludes some entries.
  void narrow_by(const expr::Or& either, Conjunct& part) {
    // If a document has several entries, one may fulfil this Or and another one the next.
    if (std::any_of(index_.fields.begin() + static_cast<std::ptrdiff_t>(fixed_),
                    index_.fields.end(), [](const IndexField& field) { return field.is_each; })) {
      return;
    }
    std::vector<ByteRange> found;
    bool are_decided = true;
    for (const ExprPtr& operand : either.operands) {
      IndexMatcher branch(*this, operand);
      branch.find_ranges();
      if (branch.match_.served.empty()) return;
      are_decided = are_decided && std::ranges::all_of(branch.parts_, &Conjunct::is_decided);
      std::ranges::move(branch.ranges_, std::back_inserter(found));
      if (found.size() > alternatives_max) return;
    }
    ranges_ = intersection_of(ranges_, union_of(std::move(found)));
    match_.has_range = true;
    serve(part, are_decided);
  }

  // Metadata that always exists and is always held whole.
  static bool is_instant(const Field& field) {
    return is_fact(field, {"created_at", "written_at"});
  }
  static bool is_always_present(const Field& field) {
    return is_instant(field) || is_fact(field, {"id", "id_number", "revision"});
  }

  static bool is_about(const Condition& c, const IndexField& indexed) {
    if (!indexed.computed) return c.expression == nullptr && c.field == indexed.field;
    return c.expression != nullptr && are_same(*c.expression, *indexed.computed.expression);
  }
  // Whether all documents that fulfil the condition have an entry with its values.
  static bool finds(const Condition& c, const IndexField& indexed) {
    if (!is_about(c, indexed)) return false;
    if (!indexed.is_each) return c.about == Condition::About::value;
    // An array has entries for its items, and none for itself.
    return c.about == Condition::About::item ||
           std::none_of(c.values.begin(), c.values.end(),
                        [](const Value& value) { return value.is(Kind::array); });
  }
  // Whether only documents that fulfil the condition have such an entry.
  static bool decides(const Condition& c, const IndexField& indexed) {
    const auto has = [&](const Value& value) {
      return std::any_of(c.values.begin(), c.values.end(),
                         [&](const Value& one) { return same(one, value); });
    };
    const bool has_missing = has(Value());
    if (indexed.null_is_greatest && has_missing != has(Null())) return false;
    // A missing entry may also be an empty array.
    return !indexed.is_each || (c.about == Condition::About::either && !has_missing);
  }

  // A unique index of a routing holds null for missing values, so it does not distinguish the two.
  bool has_null_for_missing() const { return index_.unique == Uniqueness::of_routing; }
  bool distinguishes(const Condition& c) const {
    if (!has_null_for_missing()) return true;
    const auto is_either = [](const Value& v) { return v.is_missing() || v.is_null(); };
    return std::none_of(c.values.begin(), c.values.end(), is_either) &&
           !(c.from && is_either(c.from->value)) && !(c.to && is_either(c.to->value));
  }

  void serve(Conjunct& part, bool is_decided) {
    part.is_served = true;
    part.is_decided = is_decided;
    match_.served.push_back(part.source);
  }

  // Fixes the next field to one value or a few, if a condition does.
  bool fix(const IndexField& field) {
    Conjunct* found = nullptr;
    for (Conjunct& part : parts_) {
      if (!part.condition || part.condition->values.empty() || part.is_served) continue;
      if (!finds(*part.condition, field)) continue;
      if (found == nullptr || part.condition->values.size() < found->condition->values.size()) {
        found = &part;
      }
    }
    if (found == nullptr) return false;
    const std::vector<Value>& values = found->condition->values;
    if (values.size() > 1 && (match_.has_alternatives || values.size() > alternatives_max)) {
      return false;
    }
    bool is_decided = decides(*found->condition, field);
    std::vector<Bytes> extended;
    for (const Value& value : values) {
      const TruncatedValue held = entry_value_of(index_, value);
      is_decided = is_decided && held.is_exact;
      for (Bytes key : prefixes_) {
        if (!put_entry_value(key, field, held.value)) return false;
        extended.push_back(std::move(key));
      }
    }
    std::sort(extended.begin(), extended.end());
    extended.erase(std::unique(extended.begin(), extended.end()), extended.end());
    const bool is_fixed = extended.size() == prefixes_.size();
    prefixes_ = std::move(extended);
    ++(is_fixed ? match_.equalities : alternatives_);
    match_.has_alternatives = alternatives_ > 0;
    states_[fixed_++] = {
        .is_fixed = is_fixed,
        .has_one_value = values.size() == 1 && found->condition->about == Condition::About::value,
        .is_nothing = is_fixed && !field.is_each && is_nothing(values.front()),
        .is_ordered = is_decided && !field.is_each,
        .is_nullable = std::any_of(values.begin(), values.end(), mayfly::is_nothing)};
    serve(*found, is_decided);
    return true;
  }

  // Narrows the next field to a range, by all conditions on it that compare the same kind of value
  // as the first.
  void narrow(const IndexField& field) {
    std::optional<Condition::Bound> from;
    std::optional<Condition::Bound> to;
    std::optional<Kind> kind;
    for (Conjunct& part : parts_) {
      if (!part.condition || !part.condition->values.empty() || part.is_served) continue;
      // In an array, one item may fulfil the first condition and another item the second.
      if (!finds(*part.condition, field) || (field.is_each && kind)) continue;
      const Condition& c = *part.condition;
      const Kind own = (c.from ? c.from : c.to)->value.kind();
      if ((kind && sort_tag(*kind) != sort_tag(own)) || !fits(c)) continue;
      if (field.null_is_greatest && own == Kind::null) continue;
      kind = own;
      if (c.from && (!from || is_tighter(*c.from, *from, true))) from = c.from;
      if (c.to && (!to || is_tighter(*c.to, *to, false))) to = c.to;
      serve(part, is_exact(c.from) && is_exact(c.to) && decides(c, field));
    }
    if (!kind) return;
    match_.has_range = true;
    FieldState& state = states_[fixed_];
    state.is_ordered = state.is_ordered || (is_never_truncated(*kind) && !field.is_each);
    state.is_nullable = *kind == Kind::null;
    const std::uint8_t tag = sort_tag(*kind);
    widen(from);
    widen(to);
    for (const Bytes& prefix : prefixes_) ranges_.push_back(range(prefix, field, tag, from, to));
  }

  // Excludes entries without the first field of the order if that must exist: they lie at one end.
  void skip_missing() {
    if (!can_narrow_ || match_.has_range || fixed_ == index_.fields.size()) return;
    const IndexField& field = index_.fields[fixed_];
    if (field.is_each || field.null_is_greatest) return;
    const auto requires_field = [&](const Conjunct& part) {
      const auto* call = part.source->as<expr::Call>();
      return call != nullptr && call->function->name == "exists" &&
             is_value_of({call->arguments.front()}, field);
    };
    const auto part = std::find_if(parts_.begin(), parts_.end(), requires_field);
    if (part == parts_.end()) return;
    for (ByteRange& range : ranges_) {
      // The tag of missing is the least, or the greatest if descending.
      Bytes missing = range.from;
      (void)put_sort_key(missing, Value(), field.is_descending);
      (field.is_descending ? range.to : range.from) =
          field.is_descending ? missing : after_prefix(missing);
    }
    // It is not added to `served`, because it may exclude few entries.
    part->is_served = part->is_decided = true;
  }

  bool fits(const Condition& c) const {
    Bytes key;
    const auto bound_fits = [&](const std::optional<Condition::Bound>& bound) {
      return !bound || put_sort_key(key, entry_value_of(index_, bound->value).value);
    };
    return bound_fits(c.from) && bound_fits(c.to);
  }

  bool is_exact(const std::optional<Condition::Bound>& bound) const {
    return !bound || entry_value_of(index_, bound->value).is_exact;
  }

  // Widens the bound to its truncated value. Other values on either side may have the same one.
  void widen(std::optional<Condition::Bound>& bound) const {
    if (!bound) return;
    TruncatedValue held = entry_value_of(index_, bound->value);
    bound = {std::move(held.value), bound->is_included || !held.is_exact};
  }

  static bool is_tighter(const Condition::Bound& a, const Condition::Bound& b, bool is_lower) {
    const auto o = order(a.value, b.value);
    if (o == 0) return !a.is_included;
    return is_lower ? o > 0 : o < 0;
  }

  // Descending sort keys are inverted, so the greater bound comes first.
  static ByteRange range(const Bytes& prefix, const IndexField& field, std::uint8_t tag,
                         std::optional<Condition::Bound> from, std::optional<Condition::Bound> to) {
    if (field.is_descending) std::swap(from, to);
    Bytes whole_kind = prefix;
    whole_kind.push_back(static_cast<char>(field.is_descending ? ~tag : tag));
    ByteRange made{whole_kind, after_prefix(whole_kind)};
    if (from) {
      Bytes key = prefix;
      (void)put_sort_key(key, from->value, field.is_descending);
      made.from = from->is_included ? key : after_prefix(key);
    }
    if (to) {
      Bytes key = prefix;
      (void)put_sort_key(key, to->value, field.is_descending);
      made.to = to->is_included ? after_prefix(key) : key;
    }
    return made;
  }

  // Whether all documents have the same value for this key.
  bool is_constant(const SortKey& key) const {
    for (std::size_t i = 0; i < fixed_; ++i) {
      if (!is_value_of(key, index_.fields[i])) continue;
      if (states_[i].has_one_value || (states_[i].is_nothing && key.null_is_greatest)) return true;
    }
    return false;
  }

  // A field whose part of the position varies between entries.
  struct VaryingField {
    IndexField field;
    FieldState state;

    bool has_order_of(const SortKey& key) const {
      const bool agrees = field.null_is_greatest == key.null_is_greatest || !state.is_nullable;
      return is_value_of(key, field) && agrees;
    }
  };

  // Whether the key is a field of the row, or an expression that the index holds.
  bool is_of_row(const SortKey& key) const {
    const auto* field = key.value->as<expr::FieldOf>();
    if (field != nullptr) return field->slot == 0;
    return std::any_of(index_.fields.begin(), index_.fields.end(), [&](const IndexField& indexed) {
      return indexed.computed && is_value_of(key, indexed);
    });
  }

  // How much of the requested order the entries have, forwards or backwards. Sets the direction.
  Match::Order order_for(const PlannedSort& sort) {
    constexpr auto none = Match::Order::none;
    if (has_null_for_missing()) return none;
    std::vector<VaryingField> varying;
    for (std::size_t i = 0; i < index_.fields.size(); ++i) {
      if (!states_[i].is_fixed) varying.push_back({index_.fields[i], states_[i]});
    }
    // Behind its fields, an index is ordered by document key; in one routing, by id.
    const std::size_t own = varying.size();
    if (has_one_routing_) {
      varying.push_back({{Field::metadata("id")}, {.is_ordered = true, .is_nullable = false}});
    }
    std::optional<bool> reverse;
    bool is_whole = true;
    std::size_t next = 0;
    for (const SortKey& key : sort.keys) {
      if (!is_of_row(key)) return none;
      if (is_constant(key) || next > own) continue;  // an id leaves no ties
      if (next == varying.size() || !varying[next].has_order_of(key)) return none;
      const bool is_in_runs = index_.entries == Entries::cut && !varying[next].field.is_each;
      if (!varying[next].state.is_ordered && !is_in_runs) return none;
      const bool against = varying[next].field.is_descending != key.is_descending;
      if (reverse && *reverse != against) return none;
      reverse = against;
      is_whole = is_whole && varying[next].state.is_ordered;
      ++next;
    }
    if (sort.ties != Ties::any && next <= own) {
      const bool backwards = sort.ties == Ties::descending;
      if (next < own || (reverse && *reverse != backwards)) return none;
      reverse = backwards;
    }
    // Behind the keys, entries may have another order than that of ties.
    if (!is_whole && sort.ties == Ties::any && next < own) return none;
    path_.reverse = reverse.value_or(false);
    return is_whole ? Match::Order::whole : Match::Order::runs;
  }

  void finish() {
    for (const Conjunct& part : parts_) {
      if (!part.is_decided) match_.residual.push_back(part.source);
    }
    for (ByteRange& range : ranges_) {
      if (range.to.empty() || range.from < range.to) path_.ranges.push_back(std::move(range));
    }
    for (std::size_t i = 0; i < index_.fields.size(); ++i) {
      if (index_.fields[i].is_each && !states_[i].is_fixed) path_.may_repeat = true;
    }
  }

  const Index& index_;
  const bool has_one_routing_;
  bool can_narrow_ = false;  // no part of the filter may fail
  std::vector<Conjunct> parts_;
  std::vector<Bytes> prefixes_{Bytes()};
  std::vector<FieldState> states_;  // of each field
  std::size_t fixed_ = 0;           // how many leading fields have one value or a few
  std::size_t alternatives_ = 0;    // how many of these have a few
  std::vector<ByteRange> ranges_;
  IndexScan path_;
  Match match_;
};

}  // namespace

bool is_value_of(const SortKey& key, const IndexField& indexed) {
  if (indexed.computed) return are_same(*key.value, *indexed.computed.expression);
  const auto* field = key.value->as<expr::FieldOf>();
  return field != nullptr && field->slot == 0 && field->field == indexed.field;
}

std::optional<Match> match_index(const Access& access, const Index& index,
                                 const PlannedSort* sort) {
  return IndexMatcher(access, index).run(sort);
}

}  // namespace mayfly::query
