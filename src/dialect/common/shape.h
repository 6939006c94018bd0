// Shape: what a value must be, as a tree. A dialect parses its own syntax into shapes, and phrases
// the errors itself. Differences between dialects are data in the shape.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "expr/evaluation/meter.h"
#include "expr/expr.h"
#include "value/path.h"

namespace mayfly {

struct Shape;

// A row of a dialect's table of types.
struct ShapeType {
  std::string_view name;
  // The message for a value that does not fit.
  std::string_view claim;
  bool (*fits)(const Value& value) = nullptr;  // null: every value fits
  // What is wrong with a fitting value according to the shape's options; empty: nothing. Null:
  // there is no such check.
  std::string (*complaint)(const Shape& shape, const Value& value, Instant now) = nullptr;
  // The length of a text; null: in code points.
  std::size_t (*length)(std::string_view text) = nullptr;
};

// Whether a value fits a type of that kind.
template <Kind kind>
bool is_a(const Value& value) {
  return value.is(kind);
}

struct Shape {
  enum class Null {
    accepted,
    refused,
    absent,  // as if the field were missing
    value    // must be of the type, like any other value
  };
  // How fields that are not among the children are treated.
  enum class Unknown {
    inherited,  // as in the enclosing object; without children all are accepted
    accepted,
    refused,
    held  // must have the shape `rest`
  };
  // Numbers; missing: no bound.
  struct MinMax {
    Value min;
    Value max;
  };

  std::string name;                 // of a child
  const ShapeType* type = nullptr;  // null: any
  Value options;                    // further options of the dialect
  bool is_required = false;
  Null null = Null::accepted;
  Value initial;  // the default; missing if there is none
  std::vector<Value> choices;
  MinMax range;  // of a number
  bool is_integer = false;
  Value multiple_of;
  MinMax size;                    // characters, or items
  std::vector<ExprPtr> patterns;  // conditions on a text, which is slot 0
  bool is_single = false;         // an array is refused, whatever the type
  bool has_unique_items = false;
  std::vector<Shape> items;  // the shape of each item: one or none
  std::vector<Shape> children;
  Unknown unknown = Unknown::inherited;
  std::vector<Shape> rest;  // one, if unknown fields are checked against it
  // If true, inspection of a value stops once the value itself or one of its items is wrong, or a
  // field is unknown; children are still inspected, in their order. If false, all violations are
  // found: the missing children, then the fields in the order of the value.
  bool is_brief = false;

  // Null pointer if there is none of that name.
  const Shape* find(std::string_view child) const;
};

// One way in which a value breaks its shape.
struct Violation {
  enum class What {
    missing,
    null,
    unknown,
    type,
    several,
    choice,
    least,
    most,
    fraction,
    multiple,
    size_min,
    size_max,
    pattern,
    repeated
  };

  Path path;
  What what;
  const Shape* shape;  // the shape with the rule; for an unknown field, the shape of its object
  const Value* value;  // null pointer if it is missing
  std::string claim;   // of a type
  Value limit;         // of a range or size
};

// Whether a value has all fields, or only those that change.
enum class Extent { whole, changes };

struct Inspection {
  Meter& meter;
  std::size_t violations_max;
  Instant now = {};               // for types that need it
  Extent extent = Extent::whole;  // of the value; nested values are always whole
};
// What is wrong with a value; violations point into the value and the shape. Fails if the meter
// does, because patterns take long on long texts. Goes as deep as the shape.
Result<std::vector<Violation>> inspect(const Value& value, const Shape& shape,
                                       const Inspection& inspection);

// The value with the defaults of its fields, at every depth. A missing field gets its default if
// `extent` is whole. A field that is null and then counts as absent gets it in any case, unless its
// shape has fields of its own.
Value with_defaults(const Shape& shape, Value value, Extent extent);

}  // namespace mayfly
