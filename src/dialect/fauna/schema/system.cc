#include "dialect/fauna/schema/system.h"

#include <algorithm>

#include "db/rows/keys.h"

namespace mayfly::fauna {
namespace {

constexpr SystemCollection system_collections[] = {
    {.name = "Collection", .is_named = true, .is_schema = true, .items = "collections"},
    {.name = "Function", .is_named = true, .is_schema = true, .items = "functions"},
    {.name = "Role", .is_named = true, .is_schema = true, .property = "admin", .items = "roles"},
    {.name = "AccessProvider",
     .is_named = true,
     .is_schema = true,
     .property = "admin",
     .items = "access_providers"},
    {.name = "Database", .is_named = true, .property = "admin"},
    {.name = "Key", .property = "admin"},
    {.name = "Token"},
    {.name = "Credential"},
};

}  // namespace

const SystemCollection* find_system(std::string_view name) {
  if (name == "Credentials") name = "Credential";
  const auto found = std::find_if(std::begin(system_collections), std::end(system_collections),
                                  [&](const SystemCollection& row) { return row.name == name; });
  return found == std::end(system_collections) ? nullptr : found;
}

std::span<const SystemCollection> all_system_collections() {
  return system_collections;
}

DocumentKey system_key(const SystemCollection& of, std::string_view id) {
  return DocumentKey::of(system_prefix(of) + std::string(id));
}

std::string system_prefix(const SystemCollection& of) {
  return std::string(of.name) + "/";
}

std::string system_end(const SystemCollection& of) {
  return std::string(of.name) + "0";
}

Result<void> each_of_system(View& view, const Collection& table, const SystemCollection& of,
                            const std::function<Result<void>(const Document&)>& visit) {
  DocumentRange range{.from = keys::encode(system_key(of, "")),
                      .to = keys::encode(DocumentKey::of(system_end(of)))};
  for (;;) {
    const DocumentPage page = TRY(view.scan(table, range, view.live()));
    for (const Document& document : page.documents) TRY(visit(document));
    if (!page.next) return {};
    range.from = *page.next;
  }
}

std::string_view id_in_table(std::string_view table_id) {
  return table_id.substr(table_id.find('/') + 1);
}

DocumentKey schema_version_key() {
  return DocumentKey::of("version");
}

}  // namespace mayfly::fauna
