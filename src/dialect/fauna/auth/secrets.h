// Secrets of keys and tokens. Only a hash is stored; the secret itself appears once, in the
// response to the query that created it.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "dialect/fauna/run/interpreter.h"

namespace mayfly::fauna {

// Whether documents of that collection have a secret.
bool has_secret(const SystemCollection& of);
// Makes a secret and puts its hash into the fields. The hash is also stored in the table of all
// secrets, so that a secret can be found whichever database it belongs to.
Result<std::shared_ptr<const std::string>> make_secret(Interpreter& run, const SystemCollection& of,
                                                       const std::string& id, FqlObject& fields);
// Makes the secret expire when its document does.
Result<void> end_secret(Interpreter& run, const SystemCollection& of, const std::string& id,
                        const FqlObject& fields, const Lifetime& lifetime);
// Removes the secret of a document that is about to be removed. Does nothing if it has none.
Result<void> remove_secret(Interpreter& run, const Document& document);
// Copies the stored hashes of the previous version: replacing a document does not change its
// secrets.
void keep_secrets(const SystemCollection& of, const FqlObject& before, FqlObject& fields);

// REACHES DISK: the internal database and its table of all secrets, by their hashes.
inline constexpr std::string_view secrets_database = "#fauna";
inline constexpr std::string_view secrets_table = "#secrets";
Result<CollectionPtr> ensure_secrets_table(Database& database);
// Null if it has not been created yet.
CollectionPtr find_secrets_table(const Catalog& catalog);
std::string hash_of_secret(std::string_view secret);
// Whether the secret belongs to this key or token, and not to an earlier document with the same id.
bool is_secret_of(const Document& document, std::string_view secret);
// Whether a token or credential was made for this document, and not for an earlier one with the
// same id.
bool is_made_for(const Document& token, const Document& document);

}  // namespace mayfly::fauna
