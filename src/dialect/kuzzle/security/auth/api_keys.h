// API keys: tokens of users that are valid until they are deleted or expire. Each is a document
// that expires with it, and contains the token's digest instead of the token.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "dialect/kuzzle/security/rights/rights.h"

namespace mayfly::kuzzle {

// The prefix of an API key's token; clients treat the rest like the token of a login.
inline constexpr std::string_view api_key_prefix = "kapikey-";
// The claim that names the key.
inline constexpr std::string_view api_key_claim = "key";

// Verifies a token with the prefix; the signature of its claims was checked. Fails with
// unauthenticated.
Result<Token> verify_api_key(Database& database, const std::string& token, const Value& claims);

// Called inside the transaction that removes the users.
Result<void> remove_api_keys(Transaction& transaction, const std::set<std::string>& user_ids);

}  // namespace mayfly::kuzzle
