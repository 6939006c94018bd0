#include "expr/evaluation/scope.h"

namespace mayfly {

const Value* find_at(const Value& value, const Path& path) {
  const Value* here = &value;
  for (const Step& step : path.steps) {
    if (const std::string* name = std::get_if<std::string>(&step)) {
      here = here->is(Kind::object) ? here->object().find(*name) : nullptr;
    } else {
      const std::size_t i = std::get<std::size_t>(step);
      here = here->is(Kind::array) && i < here->array().size() ? &here->array()[i] : nullptr;
    }
    if (here == nullptr) return nullptr;
  }
  return here;
}

Value ValueScope::field(Slot slot, const Field& field) const {
  const Value* found = find(slot, field);
  return found ? *found : Value();
}

const Value* ValueScope::find(Slot slot, const Field& field) const {
  return slot == 0 && field.part == Part::body ? find_at(value_, field.path) : nullptr;
}

}  // namespace mayfly
