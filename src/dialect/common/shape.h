// Shape: what a value must be, as a tree. A dialect parses its own syntax into shapes, and says in
// its own words what is wrong. What differs between dialects is data in the shape.
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
  // What is said of a value that does not fit.
  std::string_view claim;
  bool (*fits)(const Value& value) = nullptr;  // null: each does
  // What is wrong with one that fits, by the shape's options; empty: nothing. Null: it is right.
  std::string (*complaint)(const Shape& shape, const Value& value, Instant now) = nullptr;
  // How long a text is; null: in code points.
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
    absent,  // as if the field were not there
    value    // must be of the type, as any other value
  };
  // What becomes of fields that are none of the children.
  enum class Unknown {
    inherited,  // as in the object around it; without children all are accepted
    accepted,
    refused,
    held  // to `rest`
  };
  // Numbers; missing: no bound.
  struct Range {
    Value min;
    Value max;
  };

  std::string name;                 // of a child
  const ShapeType* type = nullptr;  // null: any
  Value options;                    // whatever else the dialect knows of it
  bool is_required = false;
  Null null = Null::accepted;
  Value initial;  // the default; missing where there is none
  std::vector<Value> choices;
  Range range;  // of a number
  bool is_integer = false;
  Value multiple_of;
  Range size;                     // characters, or items
  std::vector<ExprPtr> patterns;  // conditions on a text, which is slot 0
  bool is_single = false;         // an array is refused, whatever the type
  bool has_unique_items = false;
  std::vector<Shape> items;  // what each item is held to: one or none
  std::vector<Shape> children;
  Unknown unknown = Unknown::inherited;
  std::vector<Shape> rest;  // one, where unknown fields are held to it
  // Once something is wrong with a value itself or with one of its items, or a field is unknown,
  // the rest of it is not looked at; children are, in their order. Otherwise all misfits are found:
  // the missing children, then the fields in the order of the value.
  bool is_brief = false;

  // Null pointer if there is none of that name.
  const Shape* find(std::string_view child) const;
};

struct Misfit {
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
  const Shape* shape;  // whose rule it is; of an unknown field: its object's
  const Value* value;  // null pointer where it is missing
  std::string claim;   // of a type
  Value limit;         // of a range or size
};

// Whether all fields are there, or only those that change.
enum class Extent { whole, changes };

struct Inspection {
  Meter& meter;
  std::size_t misfits_max;
  Instant now = {};               // for the types of which it is asked
  Extent extent = Extent::whole;  // of the value; what lies in it is always whole
};
// What is wrong with a value; it points into both. Fails where the meter does: patterns take long
// on long texts. Goes as deep as the shape.
Result<std::vector<Misfit>> inspect(const Value& value, const Shape& shape,
                                    const Inspection& inspection);

// The value with the defaults of fields that are null and count as absent then, unless they are
// objects of known fields, and, in a whole one, of those that are missing.
Value with_defaults(const Shape& shape, Value value, Extent extent);

}  // namespace mayfly
