// SealingKey: keeps a text secret, and shows that it is unaltered: AES-256-GCM (NIST SP 800-38D).
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

  // Of any secret, however long; `purpose` makes another key for each use of it.
  SealingKey(BytesView secret, std::string_view purpose);

  // The text encrypted, and its tag. `about` is not in it and must be the same to open it. One
  // nonce may be used for one pair of text and `about` only.
  Bytes seal(BytesView nonce, BytesView text, BytesView about) const;
  // The text. Fails with invalid where any part is another than it was sealed with.
  Result<Bytes> open(BytesView nonce, BytesView sealed, BytesView about) const;

 private:
  const Bytes key_;
};

}  // namespace mayfly
