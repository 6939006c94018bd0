// API keys: tokens of users that count until they are deleted or their time has come. Each is a
// document that dies then, and has not the token in it but the token's digest.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "dialect/kuzzle/security/rights/rights.h"

namespace mayfly::kuzzle {

// Before the rest of the token, which clients read as they read a login's.
inline constexpr std::string_view api_key_prefix = "kapikey-";
// The claim that names the key.
inline constexpr std::string_view api_key_claim = "key";

// Of a token with the prefix whose claims are signed. Fails with unauthenticated.
Result<Token> verify_api_key(Database& database, const std::string& token, const Value& claims);

// Inside the transaction that removes the users.
Result<void> forget_api_keys(Transaction& transaction, const std::set<std::string>& user_ids);

}  // namespace mayfly::kuzzle
