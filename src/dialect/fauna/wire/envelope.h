// The bodies of responses. Their members have a fixed order:
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

// The part of every query response that describes its run.
struct QueryFrame {
  Instant txn_at;
  QueryStats stats;
  std::string tags = {};  // empty: the client sent none
  Instant schema_version;
};

struct QueryOutcome {
  std::string data;  // JSON from encode()
  std::optional<std::string> static_type = {};
  std::string summary = {};
};

std::string render_success(const QueryOutcome& outcome, const QueryFrame& frame);
// `summary` has the failure with its place, and the logs.
std::string render_failure(const QueryFailure& failure, const std::string& summary, Format format,
                           const QueryFrame& frame);
std::string render_protocol_error(const ProtocolError& error, const std::string& tags);

// The beginning of a summary: "error: " and the message, followed by constraint failures with their
// paths.
std::string render_message(const QueryFailure& failure);
// `a.b[0], c: Expected Int, provided String`.
std::string render_constraint_failure(const ConstraintFailure& failure);

}  // namespace mayfly::fauna
