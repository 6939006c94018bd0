#include "dialect/common/shape.h"

#include <algorithm>
#include <cmath>

#include "expr/evaluation/evaluate.h"
#include "value/order/order.h"

namespace mayfly {
namespace {

using What = Violation::What;
using Unknown = Shape::Unknown;

std::size_t code_points_in(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

// 0.3 counts as a multiple of 0.1, though no double is either of them.
bool is_multiple(double number, double of) {
  constexpr double tolerance = 1e-9;
  return std::abs(std::remainder(number, of)) <= tolerance * of;
}

bool is_absent(const Value* value, const Shape& shape) {
  return value == nullptr || value->is_missing() ||
         (value->is_null() && shape.null == Shape::Null::absent);
}

// Whether there may be defaults below the shape.
bool has_fields(const Shape& shape) {
  return !shape.children.empty() || std::any_of(shape.items.begin(), shape.items.end(), has_fields);
}

// Inspects a value along a shape.
class Inspector {
 public:
  explicit Inspector(const Inspection& inspection) : inspection_(inspection) {}

  std::vector<Violation> violations() && { return std::move(violations_); }

  // Whether nothing is wrong with the value itself; what it contains does not count.
  Result<bool> inspect(const Value& value, const Shape& shape, Unknown around, Extent extent) {
    TRY(tick(1));
    if (is_full()) return true;
    if (value.is_null() && shape.null != Shape::Null::value) {
      if (shape.null == Shape::Null::refused) add(What::null, shape, &value);
      return true;
    }
    if (!is_of_type(value, shape)) return false;
    const std::size_t before = violations_.size();
    TRY(inspect_itself(value, shape));
    const bool is_right = violations_.size() == before;
    if (!is_right && shape.is_brief) return false;
    if (value.is(Kind::array)) TRY(inspect_items(value.array(), shape, around));
    if (value.is(Kind::object)) TRY(inspect_fields(value.object(), shape, around, extent));
    return is_right;
  }

 private:
  Result<void> tick(std::size_t n) { return inspection_.meter.tick(static_cast<std::uint32_t>(n)); }
  bool is_full() const { return violations_.size() >= inspection_.violations_max; }

  void add(What what, const Shape& shape, const Value* value, Value limit = {},
           std::string claim = {}) {
    if (is_full()) return;
    violations_.push_back({path_, what, &shape, value, std::move(claim), std::move(limit)});
  }
  // Adds a violation for a field of the value at the current path.
  void add_at(const std::string& name, What what, const Shape& shape, const Value* value) {
    path_.steps.emplace_back(name);
    add(what, shape, value);
    path_.steps.pop_back();
  }

  bool is_of_type(const Value& value, const Shape& shape) {
    if (shape.is_single && value.is(Kind::array)) {
      add(What::several, shape, &value);
      return false;
    }
    if (shape.type == nullptr) return true;
    const ShapeType& type = *shape.type;
    const bool fits = type.fits == nullptr || type.fits(value);
    std::string claim(fits ? "" : type.claim);
    if (fits && type.complaint != nullptr) claim = type.complaint(shape, value, inspection_.now);
    if (claim.empty()) return true;
    add(What::type, shape, &value, {}, std::move(claim));
    return false;
  }

  Result<void> inspect_itself(const Value& value, const Shape& shape) {
    TRY(tick(shape.choices.size()));
    const bool is_chosen = shape.choices.empty() ||
                           std::any_of(shape.choices.begin(), shape.choices.end(),
                                       [&](const Value& choice) { return same(choice, value); });
    if (!is_chosen) add(What::choice, shape, &value);
    if (value.is_number()) inspect_number(value, shape);
    if (value.is(Kind::text)) return inspect_text(value, shape);
    if (value.is(Kind::array)) return inspect_array(value, shape);
    return {};
  }

  void inspect_number(const Value& value, const Shape& shape) {
    const double number = value.number();
    const auto& [min, max] = shape.range;
    if (min.is_number() && number < min.number()) add(What::least, shape, &value, min);
    if (max.is_number() && number > max.number()) add(What::most, shape, &value, max);
    if (shape.is_integer && number != std::floor(number)) add(What::fraction, shape, &value);
    if (shape.multiple_of.is_number() && !is_multiple(number, shape.multiple_of.number())) {
      add(What::multiple, shape, &value);
    }
  }

  void inspect_size(std::size_t size, const Value& value, const Shape& shape) {
    const auto is = static_cast<double>(size);
    const auto& [min, max] = shape.size;
    if (min.is_number() && is < min.number()) add(What::size_min, shape, &value, min);
    if (max.is_number() && is > max.number()) add(What::size_max, shape, &value, max);
  }

  Result<void> inspect_text(const Value& value, const Shape& shape) {
    const bool counts = shape.type != nullptr && shape.type->length != nullptr;
    inspect_size(counts ? shape.type->length(value.text()) : code_points_in(value.text()), value,
                 shape);
    for (const ExprPtr& pattern : shape.patterns) {
      // A pattern reads the whole text, without interruption.
      TRY(tick(value.text().size()));
      if (TRY(evaluated(*pattern, value)).is_true()) continue;
      add(What::pattern, shape, &value);
      break;
    }
    return {};
  }

  Result<void> inspect_array(const Value& value, const Shape& shape) {
    inspect_size(value.array().size(), value, shape);
    if (!shape.has_unique_items) return {};
    static const ExprPtr distinct_items = expr::call("array_distinct", {expr::slot(0)});
    const Value distinct = TRY(evaluated(*distinct_items, value));
    const bool repeats = distinct.is(Kind::array) && distinct.array().size() < value.array().size();
    if (repeats) add(What::repeated, shape, &value);
    return {};
  }

  // Missing if it fails for another reason than time.
  Result<Value> evaluated(const Expr& expr, const Value& value) {
    auto result = evaluate(expr, ValueScope(value), inspection_.meter);
    if (!result && result.error().code != Code::timed_out) return Value();
    return result;
  }

  Result<void> inspect_items(const Array& items, const Shape& shape, Unknown around) {
    if (shape.items.empty()) return {};
    for (std::size_t i = 0; i < items.size() && !is_full(); ++i) {
      const bool is_right = TRY(inspect_at(i, items[i], shape.items.front(), around));
      if (!is_right && shape.is_brief) break;
    }
    return {};
  }

  Result<void> inspect_fields(const Object& fields, const Shape& shape, Unknown around,
                              Extent extent) {
    const bool inherits = shape.unknown == Unknown::inherited;
    if (inherits && shape.children.empty()) return {};
    const Unknown unknown = inherits ? around : shape.unknown;
    if (shape.is_brief && TRY(inspect_unknown(fields, shape, unknown))) return {};
    for (const Shape& child : shape.children) {
      TRY(tick(1 + fields.size()));
      const Value* value = fields.find(child.name);
      if (is_absent(value, child)) {
        const bool is_missed = child.is_required && extent == Extent::whole;
        if (is_missed) add_at(child.name, What::missing, child, value);
      } else if (shape.is_brief) {
        TRY(inspect_at(child.name, *value, child, unknown));
      }
    }
    if (!shape.is_brief) TRY(inspect_unknown(fields, shape, unknown));
    return {};
  }

  // Inspects the fields in order: the known ones, too, unless the shape is brief. Gives whether the
  // first violation of a brief shape was found.
  Result<bool> inspect_unknown(const Object& fields, const Shape& shape, Unknown unknown) {
    for (const auto& [name, value] : fields) {
      TRY(tick(1 + shape.children.size()));
      if (const Shape* child = shape.find(name)) {
        const bool is_due = !shape.is_brief && !is_absent(&value, *child);
        if (is_due) TRY(inspect_at(name, value, *child, unknown));
      } else if (unknown == Unknown::held && !shape.rest.empty()) {
        TRY(inspect_at(name, value, shape.rest.front(), unknown));
      } else if (unknown == Unknown::refused) {
        add_at(name, What::unknown, shape, &value);
        if (shape.is_brief) return true;
      }
    }
    return false;
  }

  Result<bool> inspect_at(Step step, const Value& value, const Shape& shape, Unknown around) {
    path_.steps.push_back(std::move(step));
    const bool is_right = TRY(inspect(value, shape, around, Extent::whole));
    path_.steps.pop_back();
    return is_right;
  }

  const Inspection& inspection_;
  Path path_;
  std::vector<Violation> violations_;
};

}  // namespace

const Shape* Shape::find(std::string_view child) const {
  for (const Shape& shape : children) {
    if (shape.name == child) return &shape;
  }
  return nullptr;
}

Result<std::vector<Violation>> inspect(const Value& value, const Shape& shape,
                                       const Inspection& inspection) {
  Inspector inspector(inspection);
  TRY(inspector.inspect(value, shape, Unknown::accepted, inspection.extent));
  return std::move(inspector).violations();
}

Value with_defaults(const Shape& shape, Value value, Extent extent) {
  if (value.is(Kind::array) && !shape.items.empty()) {
    for (Value& item : value.mutable_array()) {
      item = with_defaults(shape.items.front(), std::move(item), extent);
    }
  }
  if (!value.is(Kind::object)) return value;
  for (const Shape& child : shape.children) {
    const Value* field = value.object().find(child.name);
    const bool is_there = field != nullptr && !field->is_missing();
    if (is_there && has_fields(child)) {
      Value& changed = *value.mutable_object().find(child.name);
      changed = with_defaults(child, std::move(changed), extent);
    } else if (is_absent(field, child) && (is_there || extent == Extent::whole) &&
               !child.initial.is_missing()) {
      value.mutable_object().set(child.name, child.initial);
    }
  }
  return value;
}

}  // namespace mayfly
