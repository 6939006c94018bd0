// Secrets of keys and tokens. Only a hash of one is stored; the secret itself is in the answer of
// the query that has made it.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "dialect/fauna/run/interpreter.h"

namespace mayfly::fauna {

// Whether documents of that collection have one.
bool has_secret(const SystemCollection& of);
// Makes one, and puts into the fields what is stored of it. So the secret is found by its hash,
// whatever database it belongs to.
Result<std::shared_ptr<const std::string>> make_secret(Interpreter& run, const SystemCollection& of,
                                                       const std::string& id, FqlObject& fields);
// Gives the secret of that document the document's end.
Result<void> end_secret(Interpreter& run, const SystemCollection& of, const std::string& id,
                        const FqlObject& fields, const Lifetime& lifetime);
// That of a document that is about to be removed; nothing where it has none.
Result<void> remove_secret(Interpreter& run, const Document& document);
// What a replacement does not replace.
void keep_secrets(const SystemCollection& of, const FqlObject& before, FqlObject& fields);

// REACHES DISK: the internal database and its table of all secrets, by their hashes.
inline constexpr std::string_view secrets_database = "#fauna";
inline constexpr std::string_view secrets_table = "#secrets";
Result<CollectionPtr> ensure_secrets_table(Database& database);
// Null where none has been made yet.
CollectionPtr find_secrets_table(const Catalog& catalog);
std::string hash_of_secret(std::string_view secret);
// Whether that key or token has this secret, and not one that had its id before it.
bool is_secret_of(const Document& document, std::string_view secret);
// Whether a token or credential was made for this document, and not for one that had its id before.
bool is_made_for(const Document& token, const Document& document);

}  // namespace mayfly::fauna
