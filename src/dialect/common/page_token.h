// Page tokens: a client passes one from a page of a list to get the next page. A token is valid
// only for the list that it was sealed for, unaltered, on servers with the same secret, and until
// it expires. It is encrypted: a client can neither read its position (place) nor forge one. A
// position may hold internal data: values of rows, and results that a query has computed.
//
//   token := base64url(nonce(12 bytes) AES-256-GCM(text, about) tag(16 bytes))
//   text  := good_until(i64) place
//   about := 2 (format) text(list)
//   nonce := the first bytes of HMAC-SHA-256(about text): one for each text, so equal places have
//            equal tokens
//
// Both keys are derived from the secret.
#pragma once

#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/crypto/crypto.h"
#include "base/crypto/sealing.h"
#include "base/result.h"
#include "db/database.h"
#include "dialect/common/limits.h"

namespace mayfly {

struct PageToken {
  std::string_view list;  // the API and the list: everything that the meaning of the position
                          // depends on
  BytesView place;        // where the next page begins, in any form
  Instant good_until = Instant::never();  // by the clock of the database
};

// Threads: any.
class PageTokens {
 public:
  explicit PageTokens(BytesView secret);
  // Uses the secret that the database stores, so that tokens stay valid after a restart and after a
  // backup is restored; creates it if it is missing. If it can be neither read nor stored, this is
  // logged, and tokens are valid until the process ends.
  static PageTokens of(Database& database);

  std::string seal(const PageToken& token) const;
  // Gives the position. Fails with invalid, also if the token is longer than `bytes_max`.
  Result<Bytes> open(std::string_view list, std::string_view token, Instant now,
                     std::size_t bytes_max = limits::page_token_bytes_max) const;

 private:
  SealingKey key_;
  HmacKey nonces_;
};

}  // namespace mayfly
