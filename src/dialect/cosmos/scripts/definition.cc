#include "dialect/cosmos/scripts/definition.h"

namespace mayfly::cosmos {
namespace {

std::string text_of(const StoredResource& stored, std::string_view name) {
  const Value* value = stored.content.find(name);
  return value != nullptr && value->is(Kind::text) ? value->text() : std::string();
}

}  // namespace

ScriptDefinition read_definition(const StoredResource& stored) {
  return {.name = text_of(stored, "id"),
          .body = text_of(stored, "body"),
          .trigger_type = text_of(stored, "triggerType"),
          .trigger_operation = text_of(stored, "triggerOperation")};
}

Result<std::optional<ScriptDefinition>> find_definition(ResourceKind kind,
                                                        const Container& container,
                                                        const std::string& name, View& view) {
  const auto resources = Resources::find(view.catalog(), container.database->id);
  const auto stored = TRY(resources.get(view, stored_key(kind, container.rid, name)));
  return stored ? std::optional(read_definition(*stored)) : std::nullopt;
}

}  // namespace mayfly::cosmos
