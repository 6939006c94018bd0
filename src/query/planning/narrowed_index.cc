#include "query/planning/narrowed_index.h"

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
class RangeFinder {
 public:
  RangeFinder(const Access& access, const Index& index) : index_(index) {
    result_.can_narrow = access.residual && !may_fail(*access.residual);
    if (access.residual) add_conjuncts(access.residual);
    for (const IndexField& field : index.fields) {
      const bool is_whole = index.entries == Entries::whole || is_instant(field.field);
      result_.states.push_back({.is_ordered = is_whole && !field.is_each,
                                .is_nullable = !is_always_present(field.field)});
    }
  }

  NarrowedIndex run() {
    find_ranges();
    return std::move(result_);
  }

 private:
  // For one operand of an Or: begins behind the fields that the other conditions fix.
  RangeFinder(const RangeFinder& whole, const ExprPtr& operand)
      : index_(whole.index_), prefixes_(whole.prefixes_) {
    result_.states = whole.result_.states;
    result_.fixed = whole.result_.fixed;
    result_.alternatives = whole.result_.alternatives;
    result_.can_narrow = true;
    add_conjuncts(operand);
  }

  void add_conjuncts(const ExprPtr& filter) {
    for (const ExprPtr& part : conjuncts(filter)) {
      Conjunct& added = result_.parts.emplace_back(Conjunct{part});
      if (result_.can_narrow) added.condition = usable_condition(part);
    }
  }

  std::optional<Condition> usable_condition(const ExprPtr& part) const {
    std::optional<Condition> condition = condition_of(part);
    if (!condition) condition = item_condition_of(part);
    if (condition && !distinguishes(*condition)) condition.reset();
    return condition;
  }

  // Narrows by conditions, field after field; then by each Or that begins where they end.
  void find_ranges() {
    while (result_.fixed < index_.fields.size() && fix(index_.fields[result_.fixed])) {
    }
    if (result_.fixed < index_.fields.size()) narrow(index_.fields[result_.fixed]);
    if (result_.ranges.empty()) {
      for (const Bytes& prefix : prefixes_)
        result_.ranges.push_back({prefix, after_prefix(prefix)});
    }
    if (!result_.can_narrow) return;
    for (Conjunct& part : result_.parts) {
      if (const auto* either = part.source->as<expr::Or>(); either && !part.is_served) {
        narrow_by(*either, part);
      }
    }
  }

  // Narrows to the union of the operands' ranges, if each operand excludes some entries.
  void narrow_by(const expr::Or& either, Conjunct& part) {
    // If a document has several entries, one may fulfil this Or and another one the next.
    if (std::any_of(index_.fields.begin() + static_cast<std::ptrdiff_t>(result_.fixed),
                    index_.fields.end(), [](const IndexField& field) { return field.is_each; })) {
      return;
    }
    std::vector<ByteRange> found;
    bool are_decided = true;
    for (const ExprPtr& operand : either.operands) {
      RangeFinder branch(*this, operand);
      branch.find_ranges();
      if (branch.result_.served.empty()) return;
      are_decided = are_decided && std::ranges::all_of(branch.result_.parts, &Conjunct::is_decided);
      std::ranges::move(branch.result_.ranges, std::back_inserter(found));
      if (found.size() > alternatives_max) return;
    }
    result_.ranges = intersection_of(result_.ranges, union_of(std::move(found)));
    result_.has_range = true;
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

  bool distinguishes(const Condition& c) const {
    if (!has_null_for_missing(index_)) return true;
    const auto is_either = [](const Value& v) { return v.is_missing() || v.is_null(); };
    return std::none_of(c.values.begin(), c.values.end(), is_either) &&
           !(c.from && is_either(c.from->value)) && !(c.to && is_either(c.to->value));
  }

  void serve(Conjunct& part, bool is_decided) {
    part.is_served = true;
    part.is_decided = is_decided;
    result_.served.push_back(part.source);
  }

  // Fixes the next field to one value or a few, if a condition does.
  bool fix(const IndexField& field) {
    Conjunct* found = nullptr;
    for (Conjunct& part : result_.parts) {
      if (!part.condition || part.condition->values.empty() || part.is_served) continue;
      if (!finds(*part.condition, field)) continue;
      if (found == nullptr || part.condition->values.size() < found->condition->values.size()) {
        found = &part;
      }
    }
    if (found == nullptr) return false;
    const std::vector<Value>& values = found->condition->values;
    if (values.size() > 1 && (result_.has_alternatives() || values.size() > alternatives_max)) {
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
    ++(is_fixed ? result_.equalities : result_.alternatives);
    result_.states[result_.fixed++] = {
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
    for (Conjunct& part : result_.parts) {
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
    result_.has_range = true;
    FieldState& state = result_.states[result_.fixed];
    state.is_ordered = state.is_ordered || (is_never_truncated(*kind) && !field.is_each);
    state.is_nullable = *kind == Kind::null;
    const std::uint8_t tag = sort_tag(*kind);
    widen(from);
    widen(to);
    for (const Bytes& prefix : prefixes_)
      result_.ranges.push_back(range(prefix, field, tag, from, to));
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

  const Index& index_;
  std::vector<Bytes> prefixes_{Bytes()};
  NarrowedIndex result_;
};

}  // namespace

NarrowedIndex narrowed_index(const Access& access, const Index& index) {
  return RangeFinder(access, index).run();
}

void skip_missing(NarrowedIndex& narrowed, const Index& index) {
  if (!narrowed.can_narrow || narrowed.has_range || narrowed.fixed == index.fields.size()) return;
  const IndexField& field = index.fields[narrowed.fixed];
  if (field.is_each || field.null_is_greatest) return;
  const auto requires_field = [&](const Conjunct& part) {
    const auto* call = part.source->as<expr::FunctionCall>();
    return call != nullptr && call->function->name == "exists" &&
           is_value_of({call->arguments.front()}, field);
  };
  const auto part = std::ranges::find_if(narrowed.parts, requires_field);
  if (part == narrowed.parts.end()) return;
  for (ByteRange& range : narrowed.ranges) {
    // The tag of missing is the least, or the greatest if descending.
    Bytes missing = range.from;
    (void)put_sort_key(missing, Value(), field.is_descending);
    (field.is_descending ? range.to : range.from) =
        field.is_descending ? missing : after_prefix(missing);
  }
  // It is not added to `served`, because it may exclude few entries.
  part->is_served = part->is_decided = true;
}

}  // namespace mayfly::query
