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
// What a replacement does not replace.
void keep_secrets(const SystemCollection& of, const FqlObject& before, FqlObject& fields);

// REACHES DISK: the internal database and its table of all secrets, by their hashes.
inline constexpr std::string_view secrets_database = "#fauna";
inline constexpr std::string_view secrets_table = "#secrets";
Result<CollectionPtr> ensure_secrets_table(Database& database);
std::string hash_of_secret(std::string_view secret);

}  // namespace mayfly::fauna
