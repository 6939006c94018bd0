#include "query/planning/access.h"

#include <algorithm>

#include "expr/analyse.h"
#include "query/planning/ranges.h"
#include "value/order/order.h"
#include "value/order/sort_key.h"

namespace mayfly::query {
namespace {

// More alternatives than this are looked for in the documents instead.
constexpr std::size_t alternatives_max = 256;

bool is_fact(const Field& field, std::initializer_list<std::string_view> names) {
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view name) { return field == Field::metadata(name); });
}

// Positions in an index, field by field: what the fields so far fix, as prefixes of positions.
class Matching {
 public:
  Matching(const Access& access, const Index& index)
      : index_(index), has_one_routing_(access.routing.has_value()) {
    if (access.residual) {
      for (const ExprPtr& part : conjuncts(access.residual)) parts_.push_back({part});
    }
    can_narrow_ = access.residual && !may_fail(*access.residual);
    if (can_narrow_) find_conditions();
    path_.index = index;
    for (const IndexField& field : index.fields) {
      const bool is_whole = index.entries == Entries::whole || is_instant(field.field);
      known_.push_back(
          {.is_ordered = is_whole && !field.is_each, .is_nullable = !is_always_given(field.field)});
    }
  }

  std::optional<Match> run(const Sort* sort) {
    find_ranges();
    if (sort != nullptr) match_.order = order_for(*sort);
    if (match_.order != Match::Order::none) pass_over_missing();
    if (match_.served.empty() && match_.order == Match::Order::none) return std::nullopt;
    finish();
    match_.path = std::move(path_);
    return std::move(match_);
  }

 private:
  struct Part {
    ExprPtr source;
    std::optional<Condition> condition = std::nullopt;
    bool is_served = false;
    bool is_decided = false;  // by the index alone; otherwise each document is asked again
  };

  // Of a field, among the entries of the ranges.
  struct Known {
    bool is_fixed = false;       // its part of the position is the same in all, …
    bool has_one_value = false;  // … and so is its value in all documents, …
    bool is_nothing = false;     // … or null in some, and missing in the others
    bool is_ordered = false;     // they lie by the values, and not just by what is held of them
    bool is_nullable = true;     // some values may be null or missing
  };

  // For one operand of an Or, from the fields on that the other conditions fix.
  Matching(const Matching& whole, const ExprPtr& operand)
      : index_(whole.index_),
        has_one_routing_(whole.has_one_routing_),
        can_narrow_(true),
        prefixes_(whole.prefixes_),
        known_(whole.known_),
        fixed_(whole.fixed_),
        alternatives_(whole.alternatives_) {
    match_.has_alternatives = whole.match_.has_alternatives;
    for (const ExprPtr& part : conjuncts(operand)) parts_.push_back({part});
    find_conditions();
  }

  void find_conditions() {
    for (Part& part : parts_) {
      part.condition = condition_of(part.source);
      if (!part.condition) part.condition = item_condition_of(part.source);
      if (part.condition && !tells(*part.condition)) part.condition.reset();
    }
  }

  // By the conditions, field after field; then by each Or that begins where they end.
  void find_ranges() {
    while (fixed_ < index_.fields.size() && fix(index_.fields[fixed_])) {
    }
    if (fixed_ < index_.fields.size()) narrow(index_.fields[fixed_]);
    if (ranges_.empty()) {
      for (const Bytes& prefix : prefixes_) ranges_.push_back({prefix, after_prefix(prefix)});
    }
    if (!can_narrow_) return;
    for (Part& part : parts_) {
      if (const auto* either = part.source->as<expr::Or>(); either && !part.is_served) {
        narrow_by(*either, part);
      }
    }
  }

  // To what lies in the ranges of any operand, if each of them leaves some out.
  void narrow_by(const expr::Or& either, Part& part) {
    // Of a document with several entries, one may meet the one Or, and another the next.
    if (std::any_of(index_.fields.begin() + static_cast<std::ptrdiff_t>(fixed_),
                    index_.fields.end(), [](const IndexField& field) { return field.is_each; })) {
      return;
    }
    std::vector<ByteRange> found;
    bool are_decided = true;
    for (const ExprPtr& operand : either.operands) {
      Matching branch(*this, operand);
      branch.find_ranges();
      if (branch.match_.served.empty()) return;
      are_decided = are_decided && std::ranges::all_of(branch.parts_, &Part::is_decided);
      std::ranges::move(branch.ranges_, std::back_inserter(found));
      if (found.size() > alternatives_max) return;
    }
    ranges_ = in_both(ranges_, in_any(std::move(found)));
    match_.has_range = true;
    serve(part, are_decided);
  }

  // A fact that is always there, and always stands for itself.
  static bool is_instant(const Field& field) {
    return is_fact(field, {"created_at", "written_at"});
  }
  static bool is_always_given(const Field& field) {
    return is_instant(field) || is_fact(field, {"id", "id_number", "revision"});
  }

  static bool is_about(const Condition& c, const IndexField& indexed) {
    if (!indexed.computed) return c.expression == nullptr && c.field == indexed.field;
    return c.expression != nullptr && are_same(*c.expression, *indexed.computed.expression);
  }
  // Whether all documents that meet the condition have an entry with its values.
  static bool finds(const Condition& c, const IndexField& indexed) {
    if (!is_about(c, indexed)) return false;
    if (!indexed.is_each) return c.about == Condition::About::value;
    // An array has entries for its items, and none for itself.
    return c.about == Condition::About::item ||
           std::none_of(c.values.begin(), c.values.end(),
                        [](const Value& value) { return value.is(Kind::array); });
  }
  // Whether no other documents have one.
  static bool decides(const Condition& c, const IndexField& indexed) {
    const auto has = [&](const Value& value) {
      return std::any_of(c.values.begin(), c.values.end(),
                         [&](const Value& one) { return same(one, value); });
    };
    const bool has_missing = has(Value());
    if (indexed.null_is_greatest && has_missing != has(Null())) return false;
    // What is missing may be an empty array.
    return !indexed.is_each || (c.about == Condition::About::either && !has_missing);
  }

  // An index that holds null for what is missing does not tell the two apart.
  bool has_null_for_missing() const { return index_.unique == Uniqueness::of_routing; }
  bool tells(const Condition& c) const {
    if (!has_null_for_missing()) return true;
    const auto is_either = [](const Value& v) { return v.is_missing() || v.is_null(); };
    return std::none_of(c.values.begin(), c.values.end(), is_either) &&
           !(c.from && is_either(c.from->value)) && !(c.to && is_either(c.to->value));
  }

  void serve(Part& part, bool is_decided) {
    part.is_served = true;
    part.is_decided = is_decided;
    match_.served.push_back(part.source);
  }

  // Fixes the next field to one value or a few, if a condition does.
  bool fix(const IndexField& field) {
    Part* found = nullptr;
    for (Part& part : parts_) {
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
    std::vector<Bytes> longer;
    for (const Value& value : values) {
      const StandIn held = held_in(index_, value);
      is_decided = is_decided && held.is_exact;
      for (Bytes key : prefixes_) {
        if (!put_held(key, field, held.value)) return false;
        longer.push_back(std::move(key));
      }
    }
    std::sort(longer.begin(), longer.end());
    longer.erase(std::unique(longer.begin(), longer.end()), longer.end());
    const bool is_fixed = longer.size() == prefixes_.size();
    prefixes_ = std::move(longer);
    ++(is_fixed ? match_.equalities : alternatives_);
    match_.has_alternatives = alternatives_ > 0;
    known_[fixed_++] = {
        .is_fixed = is_fixed,
        .has_one_value = values.size() == 1 && found->condition->about == Condition::About::value,
        .is_nothing = is_fixed && !field.is_each && is_nothing(values.front()),
        .is_ordered = is_decided && !field.is_each,
        .is_nullable = std::any_of(values.begin(), values.end(), mayfly::is_nothing)};
    serve(*found, is_decided);
    return true;
  }

  // Narrows the next field to a range, as all conditions on it ask that agree in kind with the
  // first.
  void narrow(const IndexField& field) {
    std::optional<Condition::Bound> from;
    std::optional<Condition::Bound> to;
    std::optional<Kind> kind;
    for (Part& part : parts_) {
      if (!part.condition || !part.condition->values.empty() || part.is_served) continue;
      // Of an array, one item may meet the one condition, and another the next.
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
    Known& known = known_[fixed_];
    known.is_ordered = known.is_ordered || (stands_for_itself(*kind) && !field.is_each);
    known.is_nullable = *kind == Kind::null;
    const std::uint8_t tag = sort_tag(*kind);
    widen(from);
    widen(to);
    for (const Bytes& prefix : prefixes_) ranges_.push_back(range(prefix, field, tag, from, to));
  }

  // Where the order begins with a field that must be there: what lacks it lies at one end.
  void pass_over_missing() {
    if (!can_narrow_ || match_.has_range || fixed_ == index_.fields.size()) return;
    const IndexField& field = index_.fields[fixed_];
    if (field.is_each || field.null_is_greatest) return;
    const auto asks_for_it = [&](const Part& part) {
      const auto* call = part.source->as<expr::Call>();
      return call != nullptr && call->function->name == "exists" &&
             is_value_of({call->arguments.front()}, field);
    };
    const auto part = std::find_if(parts_.begin(), parts_.end(), asks_for_it);
    if (part == parts_.end()) return;
    for (ByteRange& range : ranges_) {
      // The least of the tags, or descending the greatest.
      Bytes missing = range.from;
      (void)put_sort_key(missing, Value(), field.is_descending);
      (field.is_descending ? range.to : range.from) =
          field.is_descending ? missing : after_prefix(missing);
    }
    // It is not counted among what the path serves: it may leave out little.
    part->is_served = part->is_decided = true;
  }

  bool fits(const Condition& c) const {
    Bytes key;
    const auto bound_fits = [&](const std::optional<Condition::Bound>& bound) {
      return !bound || put_sort_key(key, held_in(index_, bound->value).value);
    };
    return bound_fits(c.from) && bound_fits(c.to);
  }

  bool is_exact(const std::optional<Condition::Bound>& bound) const {
    return !bound || held_in(index_, bound->value).is_exact;
  }

  // To what the index holds of it; other values on either side may be held as the same.
  void widen(std::optional<Condition::Bound>& bound) const {
    if (!bound) return;
    StandIn held = held_in(index_, bound->value);
    bound = {std::move(held.value), bound->is_included || !held.is_exact};
  }

  static bool is_tighter(const Condition::Bound& a, const Condition::Bound& b, bool is_lower) {
    const auto o = order(a.value, b.value);
    if (o == 0) return !a.is_included;
    return is_lower ? o > 0 : o < 0;
  }

  // Where descending, sort keys are inverted, so the greater bound comes first.
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

  // Whether no two documents differ in it.
  bool is_constant(const SortKey& key) const {
    for (std::size_t i = 0; i < fixed_; ++i) {
      if (!is_value_of(key, index_.fields[i])) continue;
      if (known_[i].has_one_value || (known_[i].is_nothing && key.null_is_greatest)) return true;
    }
    return false;
  }

  // A field whose part of the position differs between entries.
  struct Moving {
    IndexField field;
    Known known;

    bool has_order_of(const SortKey& key) const {
      const bool agrees = field.null_is_greatest == key.null_is_greatest || !known.is_nullable;
      return is_value_of(key, field) && agrees;
    }
  };

  // Whether it is a field, or an expression that the index holds.
  bool is_of_row(const SortKey& key) const {
    const auto* field = key.value->as<expr::FieldOf>();
    if (field != nullptr) return field->slot == 0;
    return std::any_of(index_.fields.begin(), index_.fields.end(), [&](const IndexField& indexed) {
      return indexed.computed && is_value_of(key, indexed);
    });
  }

  // How far entries come in the order asked, forwards or backwards; sets the direction.
  Match::Order order_for(const Sort& sort) {
    constexpr auto none = Match::Order::none;
    if (has_null_for_missing()) return none;
    std::vector<Moving> moving;
    for (std::size_t i = 0; i < index_.fields.size(); ++i) {
      if (!known_[i].is_fixed) moving.push_back({index_.fields[i], known_[i]});
    }
    // Behind its last field an index goes on by document key, which in one routing is the order of
    // ids.
    const std::size_t own = moving.size();
    if (has_one_routing_) {
      moving.push_back({{Field::metadata("id")}, {.is_ordered = true, .is_nullable = false}});
    }
    std::optional<bool> reverse;
    bool is_whole = true;
    std::size_t next = 0;
    for (const SortKey& key : sort.keys) {
      if (!is_of_row(key)) return none;
      if (is_constant(key) || next > own) continue;  // an id leaves no ties
      if (next == moving.size() || !moving[next].has_order_of(key)) return none;
      const bool is_in_runs = index_.entries == Entries::cut && !moving[next].field.is_each;
      if (!moving[next].known.is_ordered && !is_in_runs) return none;
      const bool against = moving[next].field.is_descending != key.is_descending;
      if (reverse && *reverse != against) return none;
      reverse = against;
      is_whole = is_whole && moving[next].known.is_ordered;
      ++next;
    }
    if (sort.ties != Ties::any && next <= own) {
      const bool backwards = sort.ties == Ties::descending;
      if (next < own || (reverse && *reverse != backwards)) return none;
      reverse = backwards;
    }
    // Behind the keys entries may go on in another order than that of ties.
    if (!is_whole && sort.ties == Ties::any && next < own) return none;
    path_.reverse = reverse.value_or(false);
    return is_whole ? Match::Order::whole : Match::Order::runs;
  }

  void finish() {
    for (const Part& part : parts_) {
      if (!part.is_decided) match_.residual.push_back(part.source);
    }
    for (ByteRange& range : ranges_) {
      if (range.to.empty() || range.from < range.to) path_.ranges.push_back(std::move(range));
    }
    for (std::size_t i = 0; i < index_.fields.size(); ++i) {
      if (index_.fields[i].is_each && !known_[i].is_fixed) path_.may_repeat = true;
    }
  }

  const Index& index_;
  const bool has_one_routing_;
  bool can_narrow_ = false;  // nothing in the filter may fail
  std::vector<Part> parts_;
  std::vector<Bytes> prefixes_{Bytes()};
  std::vector<Known> known_;      // of each field
  std::size_t fixed_ = 0;         // of the first so many fields, to one value or a few
  std::size_t alternatives_ = 0;  // of these, to a few
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

std::optional<Match> match_index(const Access& access, const Index& index, const Sort* sort) {
  return Matching(access, index).run(sort);
}

}  // namespace mayfly::query
