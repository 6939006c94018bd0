#include "dialect/fauna/auth/schema_rights.h"

namespace mayfly::fauna {
namespace {

FqlCollection items_collection(const SystemCollection& kind) {
  return {.name = std::string(kind.name), .system = &kind};
}

// Visits the requested kinds until a visit decides.
template <class Visit>
Result<bool> any_kind(const SystemCollection* requested, const Visit& visit) {
  for (const SystemCollection& kind : all_system_collections()) {
    if (kind.items.empty() || (requested != nullptr && requested != &kind)) continue;
    if (TRY(visit(kind))) return true;
  }
  return false;
}

}  // namespace

Result<bool> may_read_schema(Interpreter& run, const SystemCollection* kind) {
  const Principal& principal = run.environment().principal;
  if (principal.has_all_rights() || principal.role == BuiltInRole::server_readonly) return true;
  const auto may_read = [&](const SystemCollection& one) -> Result<bool> {
    return TRY(run.permissions().reading(items_collection(one), {})).is_always;
  };
  const auto is_hidden = [&](const SystemCollection& one) -> Result<bool> {
    if (TRY(may_read(one))) return false;
    return !TRY(run.reading().all_system(one)).empty();
  };
  if (!TRY(any_kind(kind, may_read))) return false;
  return !TRY(any_kind(kind, is_hidden));
}

Result<bool> may_write_schema(Interpreter& run, const SystemCollection* kind) {
  const Principal& principal = run.environment().principal;
  if (principal.is_admin()) return true;
  if (principal.role != BuiltInRole::none || !TRY(may_read_schema(run, kind))) return false;
  return any_kind(kind, [&](const SystemCollection& one) {
    return run.permissions().may_ever_write(items_collection(one));
  });
}

}  // namespace mayfly::fauna
