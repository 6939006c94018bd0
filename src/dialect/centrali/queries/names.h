// The names that filters and sorts use: fields of a record, and operators.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "expr/expr.h"

namespace mayfly::centrali {

// A field as filters, sorts and selections name it: data.a.b, or one of the record's own.
struct NamedField {
  enum class Kind {
    data,
    text,
    number,
    time,   // shown in milliseconds, and compared as shown
    status  // active or archived; no value of its own
  };
  Kind kind = Kind::data;
  std::string name;  // as the client wrote it
  Field field;       // where the value is stored; for status: when the record was removed
};
// Fails with invalid if the name is neither data.… nor a field of the record itself.
Result<NamedField> parse_field(std::string_view name);

struct Operator {
  enum class Kind {
    equal,      // eq and in: one of the operands
    not_equal,  // ne and nin: none of them
    order,      // gt, gte, lt, lte
    text,       // startsWith, endsWith
    contains,
    has_any,
    has_all,
    exists
  };
  std::string_view name;
  Kind kind;
  std::string_view function;  // of the library, if one decides
  bool takes_list = false;    // commas separate the operands of a flat query
};
// Null if there is none of that name.
const Operator* find_operator(std::string_view name);
std::string operator_names();

// "data.total[gte]" -> data.total, gte; without brackets the operator is eq. Fails with invalid.
struct NamedComparison {
  NamedField field;
  const Operator* op = nullptr;
};
Result<NamedComparison> parse_comparison(std::string_view name);

}  // namespace mayfly::centrali
