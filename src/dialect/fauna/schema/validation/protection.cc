#include "dialect/fauna/schema/validation/protection.h"

#include <fmt/format.h>

#include "dialect/fauna/documents/environment.h"

namespace mayfly::fauna {
namespace {

std::optional<std::int64_t> protected_days(const FqlObject& fields, std::string_view name) {
  const FqlValue* days = fields.find(name);
  if (days == nullptr || !days->is(FqlKind::whole)) return std::nullopt;
  return days->whole().number;
}

void refuse_change(std::string_view what, std::string_view field, Failures& failures) {
  failures.add({},
               fmt::format("Cannot {} `{}` field: destructive change forbidden because database "
                           "is in protected mode.",
                           what, field));
}

}  // namespace

Result<bool> is_protected(Interpreter& run) {
  return database_flag(run.reading().view(), run.environment().database_path, "protected");
}

void check_protected(const FqlObject& before, const FqlObject& after, bool sets_history,
                     Failures& failures) {
  const auto ttl = protected_days(before, "ttl_days");
  const auto new_ttl = protected_days(after, "ttl_days");
  if (!ttl && new_ttl) refuse_change("remove", "ttl_days", failures);  // the message of the service
  if (ttl && new_ttl && *new_ttl < *ttl) refuse_change("decrease", "ttl_days", failures);
  const std::int64_t history = protected_days(before, "history_days").value_or(0);
  const std::int64_t new_history = protected_days(after, "history_days").value_or(0);
  if (new_history < history) {
    refuse_change(sets_history ? "decrease" : "remove", "history_days", failures);
  }
}

void refuse_deletion(Failures& failures) {
  failures.add({},
               "Cannot delete collection: destructive change forbidden because database is in "
               "protected mode.");
}

}  // namespace mayfly::fauna
