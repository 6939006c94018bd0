#include "dialect/cosmos/resources/resource.h"

namespace mayfly::cosmos {
namespace {

constexpr KindRow kind_rows[] = {
    {ResourceKind::account, "", "", ResourceKind::account},
    {ResourceKind::database, "dbs", "Databases", ResourceKind::account},
    {ResourceKind::container, "colls", "DocumentCollections", ResourceKind::database},
    {ResourceKind::document, "docs", "Documents", ResourceKind::container},
    {ResourceKind::stored_procedure, "sprocs", "StoredProcedures", ResourceKind::container},
    {ResourceKind::trigger, "triggers", "Triggers", ResourceKind::container},
    {ResourceKind::user_function, "udfs", "UserDefinedFunctions", ResourceKind::container},
    {ResourceKind::conflict, "conflicts", "Conflicts", ResourceKind::container},
    {ResourceKind::partition_range, "pkranges", "PartitionKeyRanges", ResourceKind::container},
    {ResourceKind::user, "users", "Users", ResourceKind::database},
    {ResourceKind::permission, "permissions", "Permissions", ResourceKind::user},
    {ResourceKind::offer, "offers", "Offers", ResourceKind::account},
    {ResourceKind::attachment, "attachments", "Attachments", ResourceKind::document},
    {ResourceKind::media, "media", "", ResourceKind::account},
    {ResourceKind::client_encryption_key, "clientencryptionkeys", "ClientEncryptionKeys",
     ResourceKind::database},
};

}  // namespace

const KindRow& row_of(ResourceKind kind) {
  return kind_rows[static_cast<std::size_t>(kind)];
}

const KindRow* find_kind(std::string_view segment) {
  if (segment.empty()) return nullptr;
  for (const KindRow& row : kind_rows) {
    if (row.segment == segment) return &row;
  }
  return nullptr;
}

}  // namespace mayfly::cosmos
