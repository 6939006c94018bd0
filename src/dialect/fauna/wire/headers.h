// What the headers of a query say.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "dialect/fauna/wire/formats/format.h"
#include "dialect/fauna/wire/wire_limits.h"
#include "net/message.h"

namespace mayfly::fauna {

// Whatever is optional and not there was not sent: what is then done is for the database to say.
struct QueryOptions {
  Format format = Format::simple;
  std::optional<bool> typecheck = {};
  bool is_linearized = false;
  bool wants_performance_hints = false;
  mayfly::Span timeout = mayfly::Span::millis(limits::fql_timeout_ms_default);
  Instant last_txn_at = {};  // what the client has seen already: reads are at or after it
  std::optional<int> contention_retries = {};
  std::string tags = {};         // as they were sent, to be echoed; empty: none
  std::string traceparent = {};  // the same, where it is well formed
};

// Fails with invalid: "Invalid header 'x-format': Invalid format foo".
Result<QueryOptions> parse_options(const net::Request& request);

}  // namespace mayfly::fauna
