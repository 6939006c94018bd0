#include "dialect/fauna/auth/secrets.h"

#include "base/crypto/crypto.h"
#include "dialect/fauna/documents/reserved.h"
#include "value/packed/packed.h"

namespace mayfly::fauna {
namespace {

constexpr std::size_t secret_bytes = 30;  // 40 characters

constexpr std::string_view hash_field = "hashed_secret";

Result<CollectionPtr> secrets_of(Interpreter& run) {
  CollectionPtr table = find_secrets_table(run.reading().view().catalog());
  if (!table) return fail(Code::contended, "the table of secrets is still to be made");
  return table;
}

Result<void> put_row(Interpreter& run, const SystemCollection& of, const std::string& id,
                     const std::string& hash, const PutOptions& options) {
  const Value row(Object{{"database", static_cast<std::int64_t>(run.environment().database_id)},
                         {"collection", std::string(of.name)},
                         {"id", id}});
  TRY(run.transaction()->put(TRY(secrets_of(run)), DocumentKey::of(hash), TRY(pack(row)), options));
  return {};
}

}  // namespace

bool has_secret(const SystemCollection& of) {
  return of.name == "Key" || of.name == "Token";
}

std::string hash_of_secret(std::string_view secret) {
  return encode_hex(sha256(secret));
}

CollectionPtr find_secrets_table(const Catalog& catalog) {
  const DatabaseInfoPtr database = catalog.find_internal_database(secrets_database);
  return database ? catalog.find_internal(database->id, secrets_table) : nullptr;
}

Result<CollectionPtr> ensure_secrets_table(Database& database) {
  if (CollectionPtr there = find_secrets_table(*database.catalog())) return there;
  DatabaseInfoPtr of = database.catalog()->find_internal_database(secrets_database);
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
  fields.append(std::string(hash_field), FqlValue(hash));
  TRY(put_row(run, of, id, hash, {}));
  return std::make_shared<const std::string>(secret);
}

Result<void> end_secret(Interpreter& run, const SystemCollection& of, const std::string& id,
                        const FqlObject& fields, const Lifetime& lifetime) {
  const FqlValue* const hash = fields.find(hash_field);
  if (hash == nullptr || !hash->is(FqlKind::text)) return {};
  return put_row(run, of, id, hash->text(), {.lifetime = lifetime});
}

bool is_secret_of(const Document& document, std::string_view secret) {
  const Value hash = document.body.member(hash_field);
  return hash.is(Kind::text) && hash.text() == hash_of_secret(secret);
}

bool is_made_for(const Document& token, const Document& document) {
  return document.created_at <= token.created_at;
}

Result<void> remove_secret(Interpreter& run, const Document& document) {
  const Value hash = document.body.member(hash_field);
  if (!hash.is(Kind::text)) return {};
  const DocumentKey key = DocumentKey::of(hash.text());
  const CollectionPtr table = TRY(secrets_of(run));
  View& view = run.reading().view();
  if (!TRY(view.get(*table, key, view.live()))) return {};
  return run.transaction()->remove(table, key, {.is_final = true});
}

void keep_secrets(const SystemCollection& of, const FqlObject& before, FqlObject& fields) {
  for (const auto& [name, value] : before.members()) {
    if (is_secret(of, name)) fields.set(name, value);
  }
}

}  // namespace mayfly::fauna
