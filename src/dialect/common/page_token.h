// Page tokens: what clients carry from one page of a list to the next. A token goes on only with
// the list that it was sealed for, unaltered, on the server that sealed it, and while it is good.
// It is encrypted: its client can neither read the place nor make one. A place may hold what only
// its database should know: values of rows, and what a query has computed.
//
//   token := base64url(nonce(12 bytes) AES-256-GCM(text, about) tag(16 bytes))
//   text  := good_until(i64) place
//   about := 2 (format) text(list)
//   nonce := the first bytes of HMAC-SHA-256(about text): one for each text, so equal places have
//            equal tokens
//
// Both keys are made of the secret.
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
  std::string_view list;  // the API and the list: whatever would make the place mean something else
  BytesView place;        // where the next page begins; of any form
  Instant good_until = Instant::never();  // by the clock of the database
};

// Threads: any.
class PageTokens {
 public:
  explicit PageTokens(BytesView secret);
  // With the secret that the database keeps, so that tokens stay good after a restart and after a
  // backup has been restored; made where there is none. Where it can be neither read nor kept, this
  // is logged, and tokens are good until the process ends.
  static PageTokens of(Database& database);

  std::string seal(const PageToken& token) const;
  // The place. Fails with invalid, also where the token is longer than `bytes_max`.
  Result<Bytes> open(std::string_view list, std::string_view token, Instant now,
                     std::size_t bytes_max = limits::page_token_bytes_max) const;

 private:
  SealingKey key_;
  HmacKey nonces_;
};

}  // namespace mayfly
