// The lifetime that a request sets for a record: expiresAt, ttlSeconds and clearTtl, as parameters
// of the query string or, for creations, members of the body.
#pragma once

#include <cstdint>
#include <variant>

#include "base/clock.h"
#include "db/write/transaction.h"
#include "net/message.h"
#include "value/value.h"

namespace mayfly::centrali {

struct RequestedLifetime {
  struct Nothing {};
  struct Until {
    Instant instant;  // rounded down to milliseconds
  };
  struct For {
    Span span;  // from the moment of the write
  };
  struct Forever {};
  std::variant<Nothing, Until, For, Forever> value = Nothing{};

  bool is_set() const { return !std::holds_alternative<Nothing>(value); }
};

// An instant takes precedence over a number of seconds. Fails with invalid, naming the parameter,
// if one is malformed or if clearTtl stands with one of the others. A null expiresAt is the same as
// clearTtl.
Result<RequestedLifetime> parse_lifetime(const net::Request& request, const Object& body);

// The change to the record's lifetime at this now. Instants are whole milliseconds, so clients see
// them exactly. The default is stamped if the request names no lifetime, and if the record's data
// names none in a collection whose bodies set the lifetime.
LifetimeChange lifetime_of_creation(const RequestedLifetime& requested,
                                    const Collection& collection, const Value& data, Instant now);
LifetimeChange lifetime_of_update(const RequestedLifetime& requested, Instant now);

}  // namespace mayfly::centrali
