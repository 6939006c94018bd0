// What a request says about a record's lifetime: expiresAt, ttlSeconds and clearTtl, as parameters
// of the query string or, for creations, members of the body.
#pragma once

#include <cstdint>
#include <variant>

#include "base/clock.h"
#include "db/write/transaction.h"
#include "net/message.h"
#include "value/value.h"

namespace mayfly::centrali {

struct AskedLifetime {
  struct Nothing {};
  struct Until {
    Instant instant;  // as given, but for what is finer than milliseconds
  };
  struct For {
    Span span;  // from the moment of the write
  };
  struct Forever {};
  std::variant<Nothing, Until, For, Forever> asked = Nothing{};

  bool is_given() const { return !std::holds_alternative<Nothing>(asked); }
};

// An instant wins over a number of seconds. Fails with invalid, naming the parameter, for what is
// malformed and for clearTtl together with one of the others. A null expiresAt is the same as
// clearTtl.
Result<AskedLifetime> parse_lifetime(const net::Request& request, const Object& body);

// As the law of lifetime says it, at this now. Instants are whole milliseconds, so that what
// clients are shown is exact. A default is stamped where neither the request nor, in a collection
// whose bodies say the lifetime, the record's data asks for one.
LifetimeChange lifetime_of_creation(const AskedLifetime& asked, const Collection& collection,
                                    const Value& data, Instant now);
LifetimeChange lifetime_of_update(const AskedLifetime& asked, Instant now);

}  // namespace mayfly::centrali
