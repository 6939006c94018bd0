// Properties: what a structure says about the fields of its records, and whether data keeps to it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dialect/centrali/call.h"
#include "expr/expr.h"
#include "expr/meter.h"
#include "value/value.h"

namespace mayfly::centrali {

struct Property {
  enum class Type { string, number, boolean, datetime, array, object, reference };
  // What happens to a record when the one it refers to is deleted.
  enum class OnDelete { nothing, restricted, cascade, emptied };

  std::string name;
  Type type = Type::string;
  bool is_required = false;
  bool is_nullable = false;
  bool is_unique = false;
  bool is_immutable = false;
  bool is_integer = false;
  bool has_unique_items = false;
  Value initial;  // missing where there is no default
  std::vector<Value> choices;
  std::optional<double> least, most, multiple_of;
  std::optional<std::size_t> size_min, size_max;  // characters, or items
  std::vector<ExprPtr> patterns;  // what a text must match, from `pattern` and `format`
  std::shared_ptr<const Property> items;
  std::vector<Property> properties;
  std::string target;  // of a reference: how the structure is called; empty: any
  OnDelete on_delete = OnDelete::nothing;

  // Null if there is none of that name.
  static const Property* find(const std::vector<Property>& properties, std::string_view name);
};

// What becomes of fields that no property names.
enum class Unknown { refused, accepted };
// Whether all fields are there, or only those that change.
enum class Extent { whole, part };

// Reads the definitions of a structure. Fails with invalid; `details` gets each reason.
Result<std::vector<Property>> parse_properties(const Value& definitions,
                                               std::vector<Detail>& details);

// What is wrong with data; nothing where it is in order. An object whose property lists no
// properties may hold anything. Fails where the meter does: patterns take long on long texts.
Result<void> validate(const Object& data, const std::vector<Property>& properties, Unknown unknown,
                      Extent extent, std::vector<Detail>& details, Meter& meter);
// What is wrong with a property's default, told under `place`.
void validate_initial(const Property& property, const std::string& place,
                      std::vector<Detail>& details);
// The data with the defaults of the fields that it lacks.
Value with_defaults(Value data, const std::vector<Property>& properties);

}  // namespace mayfly::centrali
