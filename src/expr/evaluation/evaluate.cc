#include "expr/evaluation/evaluate.h"

#include <array>
#include <utility>

#include "expr/evaluation/comparison.h"
#include "expr/function.h"

namespace mayfly {
namespace {

// The scope inside an Each: it has one more slot.
class ItemScope final : public Scope {
 public:
  ItemScope(const Scope& outer, Slot slot, const Value& item)
      : outer_(outer), slot_(slot), item_(&item) {}
  void move_to(const Value& item) { item_ = &item; }

  Value field(Slot slot, const Field& field) const override {
    if (slot != slot_) return outer_.field(slot, field);
    const Value* found = find(slot, field);
    return found ? *found : Value();
  }
  const Value* find(Slot slot, const Field& field) const override {
    if (slot != slot_) return outer_.find(slot, field);
    return field.part == Part::body ? find_at(*item_, field.path) : nullptr;
  }
  const Packed* packed() const override { return outer_.packed(); }
  const Scope& row() const override { return outer_.row(); }

 private:
  const Scope& outer_;
  const Slot slot_;
  const Value* item_;
};

Truth negate(Truth t) {
  return t == Truth::unknown ? t : to_truth(t == Truth::no);
}

// The name of the member, if the field is a top-level member of the row's body.
const std::string* top_level_name(const expr::FieldOf& f) {
  if (f.slot != 0 || f.field.part != Part::body || f.field.path.steps.size() != 1) return nullptr;
  return std::get_if<std::string>(&f.field.path.steps[0]);
}

class Evaluation {
 public:
  Evaluation(const Scope& scope, Meter& meter) : scope_(scope), meter_(meter) {}

  Result<Value> value(const Expr& e) {
    return std::visit([this](const auto& node) { return of(node); }, e.node);
  }

  Result<Truth> truth(const Expr& e) {
    if (const auto* node = e.as<expr::FunctionCall>()) return truth_of(*node);
    if (const auto* node = e.as<expr::And>()) return junction(node->operands, Truth::no);
    if (const auto* node = e.as<expr::Or>()) return junction(node->operands, Truth::yes);
    if (const auto* node = e.as<expr::Not>()) return negate(TRY(truth(*node->operand)));
    if (const auto* node = e.as<expr::Each>(); node && is_quantified(*node)) return truth_of(*node);
    return to_truth(TRY(value(e)));
  }

 private:
  Result<Value> of(const expr::Literal& node) { return node.value; }
  Result<Value> of(const expr::FieldOf& node) {
    Value value = scope_.field(node.slot, node.field);
    if (value.kind() >= Kind::text) {
      const std::size_t bytes = cost_of(value);
      TRY(tick_bytes(bytes));
      TRY(build(bytes));
    }
    return value;
  }
  Result<Value> of(const expr::FunctionCall& node);
  Result<Value> of(const expr::And& node) {
    return to_value(TRY(junction(node.operands, Truth::no)));
  }
  Result<Value> of(const expr::Or& node) {
    return to_value(TRY(junction(node.operands, Truth::yes)));
  }
  Result<Value> of(const expr::Not& node) { return to_value(negate(TRY(truth(*node.operand)))); }
  Result<Value> of(const expr::IfMissing& node) {
    Value first = TRY(value(*node.first));
    if (!first.is_missing()) return first;
    return value(*node.otherwise);
  }
  Result<Value> of(const expr::Must& node) {
    Value operand = TRY(value(*node.operand));
    if (operand.is_missing()) return fail(Code::invalid, node.message);
    return operand;
  }
  Result<Value> of(const expr::Each& node);
  Result<Value> of(const expr::Foreign& node) {
    std::vector<Value> arguments;
    for (const ExprPtr& argument : node.arguments) arguments.push_back(TRY(value(*argument)));
    TRY(tick(1));
    Value made = TRY(node.call(scope_, arguments, meter_));
    if (made.kind() >= Kind::text) TRY(build(weight(made)));
    return made;
  }

  // The value in place, or a value made in `room`.
  Result<const Value*> value_in_place(const Expr& e, Value& room) {
    if (const auto* node = e.as<expr::Literal>()) return &node->value;
    if (const auto* node = e.as<expr::FieldOf>()) {
      if (const Value* found = scope_.find(node->slot, node->field)) return found;
    }
    room = TRY(value(e));
    return &room;
  }

  // A step takes about a tenth of a microsecond: a call, an item, or 64 bytes of text.
  Result<void> tick(std::size_t steps) { return meter_.tick(static_cast<std::uint32_t>(steps)); }
  Result<void> tick_bytes(std::size_t bytes) {
    constexpr std::size_t bytes_per_step = 64;
    return tick(1 + bytes / bytes_per_step);
  }
  Result<void> build(std::size_t bytes) { return meter_.build(bytes); }
  Result<void> tick_argument(const Value& value);

  static bool is_quantified(const expr::Each& node) {
    return node.mode == expr::Each::Mode::any || node.mode == expr::Each::Mode::all;
  }
  Result<Truth> truth_of(const expr::Each& node);
  Result<Truth> truth_of(const expr::FunctionCall& node);
  Result<Truth> junction(const ExprList& operands, Truth decisive);
  Result<Value> collect(const expr::Each& node, const Array& items);
  Result<Truth> quantify(const expr::Each& node, const Array& items);
  // The cost of a value that was just made. Arrays and objects from a body count as much as the
  // whole body: more than they are, but known without a walk.
  std::size_t cost_of(const Value& value) const {
    if (value.is(Kind::text)) return value.text().size();
    const Packed* packed = scope_.packed();
    return packed != nullptr && value.kind() >= Kind::array ? packed->bytes().size()
                                                            : sizeof(Value);
  }

  const Scope& scope_;
  Meter& meter_;
};

std::size_t text_bytes(const Value& value) {
  return value.is(Kind::text) ? value.text().size() : 0;
}

// The size of a call's result. Its items count without the contents of their arrays and objects,
// which they share with the arguments.
std::size_t result_size(const Value& value) {
  std::size_t sum = text_bytes(value);
  if (value.is(Kind::array)) {
    for (const Value& item : value.array()) sum += sizeof(Value) + text_bytes(item);
  } else if (value.is(Kind::object)) {
    for (const auto& [name, member] : value.object()) {
      sum += sizeof(Object::Member) + name.size() + text_bytes(member);
    }
  }
  return sum;
}

bool holds_others(const Value& value) {
  return value.kind() >= Kind::array;
}

// Counts a value that a call may traverse, with all its contents. Shared parts count as often as
// they are reached; counting stops at the bound.
Result<void> Evaluation::tick_argument(const Value& value) {
  if (value.is(Kind::text)) return tick_bytes(value.text().size());
  if (!holds_others(value)) return {};
  const std::size_t bytes = weight(value);
  if (bytes > limits::query_bytes_max) return build(bytes);
  return tick(1 + bytes / sizeof(Value));
}

// Whether the function depends on the kinds of its arguments, and not on their contents.
bool reads_kinds_only(const Function& function) {
  return function.arguments_max == 1 && function.gives_truth && function.is_never_missing;
}

Result<Value> Evaluation::of(const expr::FunctionCall& node) {
  if (node.function->comparison != Comparison::none) return to_value(TRY(truth_of(node)));
  constexpr std::size_t few = 2;
  const std::size_t n = node.arguments.size();
  std::array<Value, few> room;
  std::array<const Value*, few> pointers{};
  std::vector<Value> more_room(n > few ? n : 0);
  std::vector<const Value*> more_pointers(n > few ? n : 0);
  Value* values = n > few ? more_room.data() : room.data();
  const Value** arguments = n > few ? more_pointers.data() : pointers.data();
  for (std::size_t i = 0; i < n; ++i)
    arguments[i] = TRY(value_in_place(*node.arguments[i], values[i]));
  TRY(tick(1));
  bool shares_parts = false;
  for (std::size_t i = 0; i < n; ++i) {
    shares_parts = shares_parts || holds_others(*arguments[i]);
    if (node.prepared != nullptr && node.arguments[i]->as<expr::Literal>()) continue;
    if (!reads_kinds_only(*node.function)) TRY(tick_argument(*arguments[i]));
  }
  Value made = TRY(node.function->apply(
      Arguments(std::span<const Value* const>(arguments, n), node.prepared.get())));
  if (made.kind() >= Kind::text) {
    TRY(build(shares_parts ? result_size(made) : weight(made)));
  }
  return made;
}

Result<Truth> Evaluation::truth_of(const expr::FunctionCall& node) {
  const Comparison how = node.function->comparison;
  if (how == Comparison::none) return to_truth(TRY(of(node)));
  const Expr& left = *node.arguments[0];
  const Expr& right = *node.arguments[1];
  const auto* literal = right.as<expr::Literal>();
  const auto* field = left.as<expr::FieldOf>();
  if (literal != nullptr && field != nullptr) {
    const std::string* name = top_level_name(*field);
    const Packed* packed = name != nullptr ? scope_.packed() : nullptr;
    if (packed != nullptr) {
      const auto known = compare_json(how, packed->raw_member(*name), literal->value);
      if (known) return *known;
    }
  }
  Value left_room;
  Value right_room;
  const Value* a = TRY(value_in_place(left, left_room));
  const Value* b = TRY(value_in_place(right, right_room));
  TRY(tick(1));
  if (a->kind() >= Kind::array && b->kind() >= Kind::array) {
    TRY(tick_argument(*a));
    TRY(tick_argument(*b));
  }
  return compare(how, *a, *b);
}

Result<Truth> Evaluation::junction(const ExprList& operands, Truth decisive) {
  Truth sum = negate(decisive);
  for (const ExprPtr& operand : operands) {
    const Truth t = TRY(truth(*operand));
    if (t == decisive) return t;
    if (t == Truth::unknown) sum = t;
  }
  return sum;
}

Result<Value> Evaluation::of(const expr::Each& node) {
  if (is_quantified(node)) return to_value(TRY(truth_of(node)));
  Value room;
  const Value* over = TRY(value_in_place(*node.over, room));
  return over->is(Kind::array) ? collect(node, over->array()) : Value();
}

Result<Truth> Evaluation::truth_of(const expr::Each& node) {
  Value room;
  const Value* over = TRY(value_in_place(*node.over, room));
  return over->is(Kind::array) ? quantify(node, over->array()) : Truth::unknown;
}

Result<Truth> Evaluation::quantify(const expr::Each& node, const Array& items) {
  const Truth decisive = to_truth(node.mode == expr::Each::Mode::any);
  Truth sum = negate(decisive);
  const Value none;
  ItemScope inner(scope_, node.slot, none);
  Evaluation body(inner, meter_);
  for (const Value& item : items) {
    TRY(tick(1));
    inner.move_to(item);
    const Truth t = TRY(body.truth(*node.body));
    if (t == decisive) return t;
    if (t == Truth::unknown) sum = t;
  }
  return sum;
}

Result<Value> Evaluation::collect(const expr::Each& node, const Array& items) {
  Array made;
  const Value none;
  ItemScope inner(scope_, node.slot, none);
  Evaluation body(inner, meter_);
  for (const Value& item : items) {
    TRY(tick(1));
    inner.move_to(item);
    if (node.mode == expr::Each::Mode::map) {
      Value mapped = TRY(body.value(*node.body));
      if (!mapped.is_missing()) made.push_back(std::move(mapped));
    } else if (TRY(body.truth(*node.body)) == Truth::yes) {
      made.push_back(item);
    }
  }
  TRY(build(made.size() * sizeof(Value)));
  return Value(std::move(made));
}

}  // namespace

Result<Value> evaluate(const Expr& expr, const Scope& scope, Meter& meter) {
  meter.begin_evaluation();
  return Evaluation(scope, meter).value(expr);
}

Result<Truth> truth(const Expr& expr, const Scope& scope, Meter& meter) {
  meter.begin_evaluation();
  return Evaluation(scope, meter).truth(expr);
}

}  // namespace mayfly
