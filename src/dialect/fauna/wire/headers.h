// Options in the headers of a query.
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

// Optional members are empty if the header was not sent; then the database's default applies. The
// members marked with * are only checked and have no effect.
struct QueryOptions {
  Format format = Format::simple;
  std::optional<bool> typecheck = {};
  bool is_linearized = false;  // *
  bool wants_performance_hints = false;
  mayfly::Span timeout = mayfly::Span::millis(limits::fql_timeout_ms_default);
  Instant last_txn_at = {};                    // * the last transaction that the client has seen
  std::optional<int> contention_retries = {};  // *
  std::string tags = {};                       // as sent, to be echoed; empty: none
  std::string traceparent = {};                // * if it is well formed
};

// Fails with invalid: "Invalid header 'x-format': Invalid format foo".
Result<QueryOptions> parse_options(const net::Request& request);

}  // namespace mayfly::fauna
