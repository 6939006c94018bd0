#include "dialect/cosmos/scripts/definition.h"

#include "dialect/cosmos/stored/stored.h"

namespace mayfly::cosmos {
namespace {

std::string text_of(const Document& stored, std::string_view name) {
  const Value value = stored.body.member(name);
  return value.is(Kind::text) ? value.text() : std::string();
}

}  // namespace

ScriptDefinition read_definition(const Document& stored) {
  return {.name = text_of(stored, "id"),
          .body = text_of(stored, "body"),
          .trigger_type = text_of(stored, "triggerType"),
          .trigger_operation = text_of(stored, "triggerOperation")};
}

Result<std::optional<ScriptDefinition>> find_definition(ResourceKind kind,
                                                        const Container& container,
                                                        const std::string& name, View& view) {
  const CollectionPtr collection = resources_of(view.catalog(), *container.database);
  const DocumentKey key = stored_key(kind, container.rid, name);
  if (!collection || !check(key)) return std::nullopt;
  const auto stored = TRY(view.get(*collection, key, view.live()));
  if (!stored) return std::nullopt;
  return read_definition(*stored);
}

}  // namespace mayfly::cosmos
