// SealingKey encrypts and authenticates a text: AES-256-GCM (NIST SP 800-38D).
#pragma once

#include "base/bytes.h"
#include "base/result.h"

namespace mayfly {

// Threads: immutable.
class SealingKey {
 public:
  static constexpr std::size_t bytes = 32;
  static constexpr std::size_t nonce_bytes = 12;
  static constexpr std::size_t tag_bytes = 16;

  // Derived from any secret of any length; each `purpose` gives a different key.
  SealingKey(BytesView secret, std::string_view purpose);

  // The encrypted text and its tag. `about` is authenticated but not included: opening needs the
  // same one. Use one nonce only for one pair of text and `about`. Checked: it has nonce_bytes.
  Bytes seal(BytesView nonce, BytesView text, BytesView about) const;
  // The text. Fails with invalid if any part differs from what was sealed.
  Result<Bytes> open(BytesView nonce, BytesView sealed, BytesView about) const;

 private:
  const Bytes key_;
};

}  // namespace mayfly
