// The policy by which clients encrypt properties. The server stores it and sees ciphertexts only.
// Source: spec cosmos-addendum.md, section 3.
#pragma once

#include <string_view>

#include "base/result.h"
#include "dialect/cosmos/containers/keys/partition_key.h"
#include "value/value.h"

namespace mayfly::cosmos {

// The algorithm of keys and of paths.
inline constexpr std::string_view encryption_algorithm = "AEAD_AES_256_CBC_HMAC_SHA256";

// Missing and null are no policy. Fails with invalid. An id or a partition key is looked up by its
// ciphertext, so only policies of version 2 may encrypt one, and only deterministically.
Result<void> check_encryption_policy(const Value& policy, const PartitionKey& key);

}  // namespace mayfly::cosmos
