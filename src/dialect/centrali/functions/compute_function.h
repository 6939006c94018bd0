// ComputeFunction: a client's code as stored, in a private table of its workspace's database. The
// code defines `async function run()`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "db/private_table.h"

namespace mayfly::centrali {

struct ComputeFunction {
  std::string id;
  Object members;  // name, code, description, timeoutMs
  Instant created_at = {};
  Instant updated_at = {};
  std::string author = {};  // of the last change; empty: unknown

  std::string text(std::string_view member) const;
  Span time_max() const;  // of one run

  static PrivateSpec table();
  static Result<ComputeFunction> decode(const Document& document);
  Result<Value> encode() const { return Value(members); }
};

// A member's text, empty if it is none; its integer, 0 if it is none.
std::string text_in(const Object& members, std::string_view name);
std::int64_t integer_in(const Object& members, std::string_view name);
// Null if there is no such member.
Value member_or_null(const Object& members, std::string_view name);

}  // namespace mayfly::centrali
