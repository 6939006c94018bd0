#include "query/access.h"

#include <algorithm>

#include "expr/analyse.h"
#include "value/order.h"
#include "value/sort_key.h"

namespace mayfly::query {
namespace {

// More alternatives than this are looked for in the documents instead.
constexpr std::size_t alternatives_max = 256;

// Positions in an index, field by field: what the fields so far fix, as prefixes of positions.
class Matching {
 public:
  Matching(const Access& access, const Index& index)
      : index_(index), has_one_routing_(access.routing.has_value()) {
    if (access.residual) {
      for (const ExprPtr& part : conjuncts(access.residual)) parts_.push_back({part});
    }
    for (Part& part : parts_) {
      if (!may_fail(*access.residual)) part.condition = condition_of(part.source);
      if (part.condition && !tells(*part.condition)) part.condition.reset();
    }
    path_.index = index;
    for (const IndexField& field : index.fields) {
      is_ordered_.push_back(index.entries == Entries::whole || is_instant(field.field));
    }
  }

  std::optional<Match> run(const Sort* sort) {
    std::size_t i = 0;
    while (i < index_.fields.size() && fix(index_.fields[i])) ++i;
    if (i < index_.fields.size()) narrow(index_.fields[i]);
    if (ranges_.empty()) {
      for (const Bytes& prefix : prefixes_) ranges_.push_back({prefix, after_prefix(prefix)});
    }
    if (sort != nullptr) match_.gives_order = gives(*sort);
    if (match_.served.empty() && !match_.gives_order) return std::nullopt;
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

  // A fact that is always there, and always stands for itself.
  static bool is_instant(const Field& field) {
    return field == Field::metadata("created_at") || field == Field::metadata("written_at");
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
      if (!(part.condition->field == field.field)) continue;
      if (found == nullptr || part.condition->values.size() < found->condition->values.size()) {
        found = &part;
      }
    }
    if (found == nullptr) return false;
    const std::vector<Value>& values = found->condition->values;
    if (values.size() > 1 && (match_.has_alternatives || values.size() > alternatives_max)) {
      return false;
    }
    bool is_decided = true;
    std::vector<Bytes> longer;
    for (const Value& value : values) {
      const StandIn held = held_in(index_, value);
      is_decided = is_decided && held.is_exact;
      for (Bytes key : prefixes_) {
        if (!put_sort_key(key, held.value, field.is_descending)) return false;
        longer.push_back(std::move(key));
      }
    }
    std::sort(longer.begin(), longer.end());
    longer.erase(std::unique(longer.begin(), longer.end()), longer.end());
    prefixes_ = std::move(longer);
    if (values.size() > 1) match_.has_alternatives = true;
    if (values.size() == 1) ++match_.equalities;
    is_constant_.push_back(values.size() == 1);
    is_ordered_[is_constant_.size() - 1] = is_decided;
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
      if (!(part.condition->field == field.field)) continue;
      const Condition& c = *part.condition;
      const Kind own = (c.from ? c.from : c.to)->value.kind();
      if ((kind && sort_tag(*kind) != sort_tag(own)) || !fits(c)) continue;
      kind = own;
      if (c.from && (!from || is_tighter(*c.from, *from, true))) from = c.from;
      if (c.to && (!to || is_tighter(*c.to, *to, false))) to = c.to;
      serve(part, is_exact(c.from) && is_exact(c.to));
    }
    if (!kind) return;
    match_.has_range = true;
    if (stands_for_itself(*kind)) is_ordered_[is_constant_.size()] = true;
    const std::uint8_t tag = sort_tag(*kind);
    widen(from);
    widen(to);
    for (const Bytes& prefix : prefixes_) ranges_.push_back(range(prefix, field, tag, from, to));
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

  bool is_fixed(const Field& field) const {
    for (std::size_t i = 0; i < is_constant_.size(); ++i) {
      if (is_constant_[i] && index_.fields[i].field == field) return true;
    }
    return false;
  }

  // Whether entries come in the order asked, forwards or backwards; sets the direction.
  bool gives(const Sort& sort) {
    if (has_null_for_missing()) return false;
    std::vector<IndexField> moving;  // the fields whose values differ between entries
    std::vector<bool> is_ordered;    // whether by the values, and not just by what is held of them
    for (std::size_t i = 0; i < index_.fields.size(); ++i) {
      if (i < is_constant_.size() && is_constant_[i]) continue;
      moving.push_back(index_.fields[i]);
      is_ordered.push_back(is_ordered_[i]);
    }
    // Behind its last field an index goes on by document key, which in one routing is the order of
    // ids.
    const std::size_t own = moving.size();
    if (has_one_routing_) moving.push_back({Field::metadata("id"), false});
    is_ordered.push_back(true);
    std::optional<bool> reverse;
    std::size_t next = 0;
    for (const SortKey& key : sort.keys) {
      const auto* field = key.value->as<expr::FieldOf>();
      if (field == nullptr || field->slot != 0) return false;
      if (is_fixed(field->field) || next > own) continue;  // an id leaves no ties
      if (next == moving.size() || !(moving[next].field == field->field)) return false;
      if (!is_ordered[next]) return false;
      const bool against = moving[next].is_descending != key.is_descending;
      if (reverse && *reverse != against) return false;
      reverse = against;
      ++next;
    }
    if (sort.ties != Ties::any && next <= own) {
      const bool backwards = sort.ties == Ties::descending;
      if (next < own || (reverse && *reverse != backwards)) return false;
      reverse = backwards;
    }
    path_.reverse = reverse.value_or(false);
    return true;
  }

  void finish() {
    for (const Part& part : parts_) {
      if (!part.is_decided) match_.residual.push_back(part.source);
    }
    for (ByteRange& range : ranges_) {
      if (range.to.empty() || range.from < range.to) path_.ranges.push_back(std::move(range));
    }
  }

  const Index& index_;
  const bool has_one_routing_;
  std::vector<Part> parts_;
  std::vector<Bytes> prefixes_{Bytes()};
  std::vector<bool> is_constant_;  // of the fields that are fixed: to one value
  std::vector<bool> is_ordered_;   // of all fields: entries lie by the values themselves
  std::vector<ByteRange> ranges_;
  IndexScan path_;
  Match match_;
};

// The keys from and to which a condition on the id reaches; nothing where it is none.
std::optional<ByteRange> keys_of(const Condition& c, const Bytes& routing) {
  if (!(c.field == Field::metadata("id")) || !c.values.empty()) return std::nullopt;
  const auto key_of = [&](const Condition::Bound& bound) { return routing + bound.value.text(); };
  const auto is_id = [](const std::optional<Condition::Bound>& bound) {
    return !bound ||
           (bound->value.is(Kind::text) && bound->value.text().find('\0') == std::string::npos);
  };
  if (!is_id(c.from) || !is_id(c.to)) return std::nullopt;
  ByteRange range{routing, after_prefix(routing)};
  // Ids hold no NUL, so 01 is the least byte that follows an id.
  if (c.from) range.from = key_of(*c.from) + (c.from->is_included ? "" : "\x01");
  if (c.to) range.to = key_of(*c.to) + (c.to->is_included ? "\x01" : "");
  return range;
}

// Whether the first thing the order asks for is the id: nothing can follow it.
std::optional<SortKey> id_order(const Sort* sort) {
  if (sort == nullptr || sort->keys.empty()) return std::nullopt;
  const auto* field = sort->keys[0].value->as<expr::FieldOf>();
  const bool is_id = field && field->slot == 0 && field->field == Field::metadata("id");
  return is_id ? std::optional(sort->keys[0]) : std::nullopt;
}

}  // namespace

std::optional<Match> match_index(const Access& access, const Index& index, const Sort* sort) {
  return Matching(access, index).run(sort);
}

std::optional<Match> match_keys(const Access& access, const Sort* sort) {
  if (!access.routing) return std::nullopt;
  Match match;
  KeyScan path{keys_of_routing(*access.routing)};
  const Bytes routing = path.range.from;
  const bool is_movable = access.residual && !may_fail(*access.residual);
  for (const ExprPtr& part : access.residual ? conjuncts(access.residual) : ExprList{}) {
    const auto condition = is_movable ? condition_of(part) : std::nullopt;
    const auto keys = condition ? keys_of(*condition, routing) : std::nullopt;
    (keys ? match.served : match.residual).push_back(part);
    if (!keys) continue;
    path.range.from = std::max(path.range.from, keys->from);
    path.range.to = std::min(path.range.to, keys->to);
    match.has_range = true;
  }
  const std::optional<SortKey> order = id_order(sort);
  match.gives_order = order.has_value();
  path.reverse = order && order->is_descending;
  match.path = std::move(path);
  if (!match.has_range && !match.gives_order) return std::nullopt;
  return match;
}

}  // namespace mayfly::query
