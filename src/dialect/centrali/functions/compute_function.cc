#include "dialect/centrali/functions/compute_function.h"

#include <algorithm>

#include "dialect/centrali/functions/limits.h"

namespace mayfly::centrali {
namespace {

// REACHES DISK.
constexpr std::string_view functions_name = "#centrali.functions";

}  // namespace

std::string text_in(const Object& members, std::string_view name) {
  const Value* value = members.find(name);
  return value != nullptr && value->is(Kind::text) ? value->text() : std::string();
}

std::int64_t integer_in(const Object& members, std::string_view name) {
  const Value* value = members.find(name);
  return value != nullptr && value->is(Kind::integer) ? value->integer() : 0;
}

Value member_or_null(const Object& members, std::string_view name) {
  const Value* value = members.find(name);
  return value == nullptr ? Value(nullptr) : *value;
}

std::string ComputeFunction::text(std::string_view member) const {
  return text_in(members, member);
}

Span ComputeFunction::time_max() const {
  const std::int64_t millis = integer_in(members, "timeoutMs");
  if (millis <= 0) return limits::function_time_max;
  return std::min(Span::millis(millis), limits::function_time_max);
}

PrivateSpec ComputeFunction::table() {
  return {.name = functions_name};
}

Result<ComputeFunction> ComputeFunction::decode(const Document& document) {
  const Value body = document.body.unpack();
  if (!body.is(Kind::object)) return not_as_written("data");
  for (const std::string_view name : {"name", "code"}) {
    const Value* text = body.object().find(name);
    if (text == nullptr || !text->is(Kind::text)) return not_as_written(name);
  }
  return ComputeFunction{std::string(document.id), body.object(), document.created_at,
                         document.version.written_at, std::string(document.updater)};
}

}  // namespace mayfly::centrali
