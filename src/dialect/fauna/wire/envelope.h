// The bodies of answers. Their members stand in a fixed order:
//
//   success  := {"data", "static_type"?, "summary", frame}
//   failure  := {"error": {"code", "message", "constraint_failures"?, "abort"?}, "summary", frame}
//   frame    := "txn_ts", "stats", "query_tags"?, "schema_version"
//   protocol := {"error": {"code", "message"}, "query_tags"?}
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"
#include "dialect/fauna/errors.h"
#include "dialect/fauna/run/failure.h"
#include "dialect/fauna/wire/formats/format.h"

namespace mayfly::fauna {

struct QueryStats {
  std::int64_t compute_ops = 1;
  std::int64_t read_ops = 0;
  std::int64_t write_ops = 0;
  std::int64_t query_time_ms = 1;
  std::int64_t contention_retries = 0;
  std::int64_t storage_bytes_read = 0;
  std::int64_t storage_bytes_write = 0;
};

// What every answer of a query says of its run.
struct QueryFrame {
  Instant txn_at;
  QueryStats stats;
  std::string tags = {};  // empty: none were sent
  Instant schema_version;
};

struct QueryOutcome {
  std::string data;  // JSON, as encode() gives it
  std::optional<std::string> static_type = {};
  std::string summary = {};
};

std::string render_success(const QueryOutcome& outcome, const QueryFrame& frame);
// `summary`: of the failure, with its place and what was logged.
std::string render_failure(const QueryFailure& failure, const std::string& summary, Format format,
                           const QueryFrame& frame);
std::string render_protocol_error(const ProtocolError& error, const std::string& tags);

// How a summary begins: "error: " and the message; constraint failures, if any, below it, each with
// its path.
std::string render_message(const QueryFailure& failure);
// `a.b[0], c: Expected Int, provided String`.
std::string render_constraint_failure(const ConstraintFailure& failure);

}  // namespace mayfly::fauna
