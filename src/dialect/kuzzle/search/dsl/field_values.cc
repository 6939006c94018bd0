// The values of a field as input of buckets, sort keys and metrics.
#include "dialect/kuzzle/search/dsl/lowering.h"

namespace mayfly::kuzzle::search {
namespace {

using expr::call;

ExprPtr mapped(Lowering& lowering, ExprPtr values, std::string_view function) {
  const Slot slot = lowering.new_slot();
  return expr::each(expr::Each::Mode::map, slot, std::move(values),
                    call(function, {expr::slot(slot)}));
}
ExprPtr filtered(Lowering& lowering, ExprPtr values, std::string_view function) {
  const Slot slot = lowering.new_slot();
  return expr::each(expr::Each::Mode::filter, slot, std::move(values),
                    call(function, {expr::slot(slot)}));
}

// As an array of one value or none.
ExprPtr array_of_fact(const FieldValues& of) {
  ExprPtr value = call("when", {call("is_null", {of.values}), call("missing", {}), of.values});
  if (of.type == FieldType::date) value = call("to_millis", {std::move(value)});
  return call("array", {std::move(value)});
}

}  // namespace

Result<ExprPtr> values_of(Lowering& lowering, const FieldValues& of, const std::string& name,
                          const std::string& place) {
  if (of.is_fact) return array_of_fact(of);
  switch (of.type) {
    case FieldType::text:
    case FieldType::object:
      return fail(Code::invalid,
                  "the values of " + name + " are words; ask for a field of a type such as keyword",
                  place);
    case FieldType::number: return mapped(lowering, of.values, "to_number");
    case FieldType::boolean: return mapped(lowering, of.values, "to_boolean");
    case FieldType::date: return mapped(lowering, of.values, "to_millis");
    default: return filtered(lowering, of.values, "is_scalar");
  }
}

Result<ExprPtr> numbers_of(Lowering& lowering, const FieldValues& of, const std::string& name,
                           const std::string& place) {
  if (of.type == FieldType::dynamic) return filtered(lowering, of.values, "is_number");
  if (of.type == FieldType::number || of.type == FieldType::date) {
    return values_of(lowering, of, name, place);
  }
  return fail(Code::invalid, "the values of " + name + " are no numbers", place);
}

}  // namespace mayfly::kuzzle::search
