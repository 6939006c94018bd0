// Scope: the values of the names in an expression. A row of a query is a Scope, and so is
// everything else that expressions are evaluated on, such as an event of the feed.
#pragma once

#include "expr/expr.h"
#include "value/packed/packed.h"
#include "value/path.h"
#include "value/value.h"

namespace mayfly {

class Scope {
 public:
  virtual ~Scope() = default;

  // The value of the field in that slot; missing if there is none, or if the slot is not bound.
  virtual Value field(Slot slot, const Field& field) const = 0;
  // The same without a copy, if the value is available in memory; else null. Valid as long as the
  // scope.
  virtual const Value* find(Slot, const Field&) const { return nullptr; }
  // The stored body of the row's document; null if slot 0 is not such a body.
  virtual const Packed* packed() const { return nullptr; }
  // The scope in which the evaluation began: this one, or, within an Each, the outermost scope.
  virtual const Scope& row() const { return *this; }
};

// A scope of one value: slot 0.
class ValueScope final : public Scope {
 public:
  explicit ValueScope(const Value& value) : value_(value) {}
  Value field(Slot slot, const Field& field) const override;
  const Value* find(Slot slot, const Field& field) const override;

 private:
  const Value& value_;
};

// The value at the path, without a copy; null if there is none.
const Value* find_at(const Value& value, const Path& path);

}  // namespace mayfly
