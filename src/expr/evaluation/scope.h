// Scope: what the names in an expression stand for. One row of a query is a Scope; so is anything
// else that expressions are evaluated against, such as an event of the feed.
#pragma once

#include "expr/expr.h"
#include "value/packed/packed.h"
#include "value/path.h"
#include "value/value.h"

namespace mayfly {

class Scope {
 public:
  virtual ~Scope() = default;

  // What lies at the field in that slot; missing where nothing does, or where the slot is not
  // bound.
  virtual Value field(Slot slot, const Field& field) const = 0;
  // The same without a copy, where the value is at hand; null where it is not. Lives as long as the
  // scope.
  virtual const Value* find(Slot, const Field&) const { return nullptr; }
  // The body of the row's document as it lies in the store; null where slot 0 is not such a body.
  virtual const Packed* packed() const { return nullptr; }
  // The scope that slot 0 belongs to: this one, or inside an Each the one around all of them.
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

// What lies at the path, without a copy; null where nothing does.
const Value* find_at(const Value& value, const Path& path);

}  // namespace mayfly
