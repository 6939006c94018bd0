// Authentication: requests signed with the account's key, or with its read-only key. Source: spec
// cosmos.md, section 3.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/crypto/crypto.h"
#include "base/result.h"
#include "dialect/cosmos/options.h"
#include "dialect/cosmos/resources/address.h"
#include "dialect/dialect.h"

namespace mayfly::cosmos {

// The well-known key of emulators. It is no secret. Servers that other machines can reach refuse to
// start with it, and servers that require keys in other dialects refuse requests signed with it.
extern const std::string_view well_known_key;

struct Principal {
  bool may_write = true;  // for a resource token: valid once its grant has been checked
  // The signature of a resource token, still to be verified; nothing if a key has signed.
  std::optional<std::string> resource_token;
  // It may read only the definition of the container: its token is for something within.
  bool sees_definition_only = false;
  // Its token is for a document or script that existed at that instant; one created later under the
  // same name is another.
  std::optional<Instant> existed_at;
};

// The keys of the account. Threads: any.
class AccountKeys {
 public:
  AccountKeys(const Credentials& server, const CosmosOptions& own);
  // Fails with unauthenticated.
  Result<Principal> authenticate(const net::Request& request, const Address& address) const;
  // Whether one of the keys has signed the request as one for that address.
  bool has_signed(const net::Request& request, const Address& address) const;

  // Whether there is no key for signing: other dialects require credentials, and `cosmos.key` is
  // not set.
  bool lacks_key() const { return lacks_key_; }
  // Whether requests are signed with the well-known key of emulators.
  bool has_well_known_key() const { return has_well_known_key_; }
  // The key of resource tokens: HMAC-SHA256, under the account's key, of "mayfly cosmos resource
  // tokens 1". So tokens outlive a restart, and become invalid when the key is changed. Empty,
  // which signs nothing, if the account's key is invalid or missing.
  const Bytes& resource_token_key() const { return resource_token_key_; }

 private:
  bool lacks_key_;
  bool has_well_known_key_;
  std::optional<HmacKey> key_;
  std::optional<HmacKey> read_key_;
  Bytes resource_token_key_;
};

// The text that a signature signs. The link has unescaped names. `date` is the header x-ms-date,
// and `other_date` the header Date; the caller leaves the second empty if there is the first.
std::string text_to_sign(std::string_view method, std::string_view type, std::string_view link,
                         std::string_view date, std::string_view other_date);

}  // namespace mayfly::cosmos
