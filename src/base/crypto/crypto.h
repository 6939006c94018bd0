// Digests, signatures, secrets and their text forms. Passwords are not handled here. Threads: every
// function may be called from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"

namespace mayfly {

// 20 bytes. Broken: only for protocols that require it, where nothing depends on its strength.
Bytes sha1(BytesView text);
// 32 bytes each.
Bytes sha256(BytesView text);
Bytes hmac_sha256(BytesView key, BytesView text);

// A key that signs many texts. It is prepared once, which is most of the work for a short text.
class HmacKey {
 public:
  explicit HmacKey(BytesView key);
  ~HmacKey();
  HmacKey(HmacKey&&) noexcept;
  HmacKey& operator=(HmacKey&&) noexcept;

  // 32 bytes: hmac_sha256(key, text).
  Bytes sign(BytesView text) const;
  // Takes the same time wherever the signatures differ.
  bool has_signed(BytesView text, BytesView signature) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// From the operating system, suitable for keys and tokens. Stops the program if the system has no
// randomness.
Bytes random_bytes(std::size_t n);

// Takes the same time wherever the two differ, and does not reveal the length of the secret.
bool constant_time_equal(BytesView a, BytesView b);

// Lower case; either case is decoded.
std::string encode_hex(BytesView bytes);
std::string encode_hex(std::uint64_t number);  // 16 digits
// RFC 4648 section 4, padded.
std::string encode_base64(BytesView bytes);
// RFC 4648 section 5, without padding, as in tokens.
std::string encode_base64url(BytesView bytes);

// The inverses are strict: they accept exactly one text for each sequence of bytes (except for the
// case of hex digits). They fail with invalid.
Result<Bytes> decode_hex(std::string_view text);
Result<Bytes> decode_base64(std::string_view text);
Result<Bytes> decode_base64url(std::string_view text);

// A JSON web token (RFC 7519) signed with HS256, and no other algorithm. Neither function reads the
// claims, so a caller that verifies must still check `exp` and the like against its own `now`.
// Fails with invalid for an empty key, and with too_large if the token would exceed
// limits::token_bytes_max.
Result<std::string> sign_jwt(std::string_view claims_json, BytesView key);
// The claims of a token that was signed with `key`, as the text that was signed. Fails with
// unauthenticated for every other token: malformed, of another algorithm or none, with critical
// extensions (`crit`), too large, or with another signature. Fails with invalid for an empty key.
Result<std::string> verify_jwt(std::string_view token, BytesView key);

}  // namespace mayfly
