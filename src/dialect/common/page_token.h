// Page tokens: what clients carry from one page of a list to the next. A token goes on only with
// the list that it was sealed for, unaltered, on the server that sealed it, and while it is good.
// It is signed, not encrypted: its client can read the place.
//
//   token  := base64url(seal(16 bytes) good_until(i64) place)
//   seal   := the first bytes of HMAC-SHA-256(secret, signed)
//   signed := 1 (format) text(list) good_until(i64) place
#pragma once

#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/crypto.h"
#include "base/result.h"
#include "db/database.h"

namespace mayfly {

// REACHES DISK: the internal database of what the server itself keeps.
inline constexpr std::string_view server_database = "#server";

struct PageToken {
  std::string_view list;  // the API and the list: whatever would make the place mean something else
  BytesView place;        // where the next page begins; of any form
  Instant good_until = Instant::never();  // by the clock of the database
};

// Threads: any.
class PageTokens {
 public:
  explicit PageTokens(BytesView secret) : key_(secret) {}
  // With the secret that the database keeps, so that tokens stay good after a restart and after a
  // backup has been restored; made where there is none. Where it can be neither read nor kept, this
  // is logged, and tokens are good until the process ends.
  static PageTokens of(Database& database);

  std::string seal(const PageToken& token) const;
  // The place. Fails with invalid.
  Result<Bytes> open(std::string_view list, std::string_view token, Instant now) const;

 private:
  Bytes seal_of(const PageToken& token) const;

  HmacKey key_;
};

}  // namespace mayfly
