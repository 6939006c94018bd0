// Renders the bodies of responses.
#include "dialect/fauna/wire/envelope.h"

#include <fmt/format.h>

#include <string_view>

#include "value/json/writer.h"

namespace mayfly::fauna {
namespace {

// The members about the run, and the end of the response.
void put_frame(const QueryFrame& frame, JsonWriter& json) {
  const QueryStats& stats = frame.stats;
  json.member("txn_ts", frame.txn_at.micros);
  json.name("stats").begin_object();
  json.member("compute_ops", stats.compute_ops);
  json.member("read_ops", stats.read_ops);
  json.member("write_ops", stats.write_ops);
  json.member("query_time_ms", stats.query_time_ms);
  json.member("contention_retries", stats.contention_retries);
  json.member("storage_bytes_read", stats.storage_bytes_read);
  json.member("storage_bytes_write", stats.storage_bytes_write);
  json.raw_member("rate_limits_hit", "[]");
  json.end_object();
  if (!frame.tags.empty()) json.member("query_tags", frame.tags);
  json.member("schema_version", frame.schema_version.micros);
  json.end_object();
}

void put_path(const FailurePath& path, JsonWriter& json) {
  json.begin_array();
  for (const auto& step : path) {
    if (const auto* name = std::get_if<std::string>(&step)) {
      json.text(*name);
    } else {
      json.integer(std::get<std::int64_t>(step));
    }
  }
  json.end_array();
}

void put_constraint_failure(const ConstraintFailure& failure, JsonWriter& json) {
  json.begin_object();
  json.name("paths").begin_array();
  for (const FailurePath& path : failure.paths) put_path(path, json);
  json.end_array();
  json.member("message", failure.message);
  json.end_object();
}

// a.b[0].c
std::string path_text(const FailurePath& path) {
  std::string text;
  for (const auto& step : path) {
    if (const auto* name = std::get_if<std::string>(&step)) {
      if (!text.empty()) text += '.';
      text += *name;
    } else {
      text += fmt::format("[{}]", std::get<std::int64_t>(step));
    }
  }
  return text;
}

}  // namespace

std::string render_success(const QueryOutcome& outcome, const QueryFrame& frame) {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.raw_member("data", outcome.data);
  if (outcome.static_type) json.member("static_type", *outcome.static_type);
  json.member("summary", outcome.summary);
  put_frame(frame, json);
  return out;
}

std::string render_failure(const QueryFailure& failure, const std::string& summary, Format format,
                           const QueryFrame& frame) {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.name("error").begin_object();
  json.member("code", failure.code);
  json.member("message", failure.message);
  if (!failure.constraint_failures.empty()) {
    json.name("constraint_failures").begin_array();
    for (const ConstraintFailure& each : failure.constraint_failures) {
      put_constraint_failure(each, json);
    }
    json.end_array();
  }
  if (failure.abort) json.raw_member("abort", encode(*failure.abort, format));
  json.end_object();
  json.member("summary", summary);
  put_frame(frame, json);
  return out;
}

std::string render_protocol_error(const ProtocolError& error, const std::string& tags) {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.name("error").begin_object();
  json.member("code", error.code);
  json.member("message", error.message);
  json.end_object();
  if (!tags.empty()) json.member("query_tags", tags);
  json.end_object();
  return out;
}

std::string render_message(const QueryFailure& failure) {
  std::string text = "error: " + failure.message;
  if (!failure.constraint_failures.empty()) text += "\nconstraint failures:";
  for (const ConstraintFailure& each : failure.constraint_failures) {
    text += "\n  " + render_constraint_failure(each);
  }
  return text;
}

std::string render_constraint_failure(const ConstraintFailure& failure) {
  std::string text;
  for (const FailurePath& path : failure.paths) {
    text += (text.empty() ? "" : ", ") + path_text(path);
  }
  return text + (text.empty() ? "" : ": ") + failure.message;
}

}  // namespace mayfly::fauna
