#include "dialect/fauna/auth/secrets.h"

#include "base/crypto.h"
#include "dialect/fauna/documents/reserved.h"
#include "value/packed.h"

namespace mayfly::fauna {
namespace {

constexpr std::size_t secret_bytes = 30;  // 40 characters

}  // namespace

bool has_secret(const SystemCollection& of) {
  return of.name == "Key" || of.name == "Token";
}

std::string hash_of_secret(std::string_view secret) {
  return encode_hex(sha256(secret));
}

Result<CollectionPtr> ensure_secrets_table(Database& database) {
  DatabaseInfoPtr of = database.catalog()->find_internal_database(secrets_database);
  CollectionPtr there = of ? database.catalog()->find_internal(of->id, secrets_table) : nullptr;
  if (there) return there;
  if (!of) {
    const auto made = database.create_internal_database(std::string(secrets_database));
    if (!made && made.error().code != Code::exists) return tl::unexpected(made.error());
    of = database.catalog()->find_internal_database(secrets_database);
  }
  return database.ensure_collection(of->id,
                                    {.name = std::string(secrets_table), .is_internal = true});
}

Result<std::shared_ptr<const std::string>> make_secret(Interpreter& run, const SystemCollection& of,
                                                       const std::string& id, FqlObject& fields) {
  const std::string secret = "fn" + encode_base64url(random_bytes(secret_bytes));
  const std::string hash = hash_of_secret(secret);
  fields.append("hashed_secret", FqlValue(hash));
  const Catalog& catalog = run.reading().view().catalog();
  const DatabaseInfoPtr database = catalog.find_internal_database(secrets_database);
  const CollectionPtr table =
      database ? catalog.find_internal(database->id, secrets_table) : nullptr;
  if (!table) return fail(Code::contended, "the table of secrets is still to be made");
  const Value row(Object{{"database", static_cast<std::int64_t>(run.surroundings().database_id)},
                         {"collection", std::string(of.name)},
                         {"id", id}});
  TRY(run.transaction()->put(table, DocumentKey::of(hash), TRY(pack(row)), {}));
  return std::make_shared<const std::string>(secret);
}

void keep_secrets(const SystemCollection& of, const FqlObject& before, FqlObject& fields) {
  for (const auto& [name, value] : before.members()) {
    if (is_secret(of, name)) fields.set(name, value);
  }
}

}  // namespace mayfly::fauna
