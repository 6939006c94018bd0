// Renders the bodies of responses.
#include "dialect/fauna/wire/envelope.h"

#include <fmt/format.h>

#include <string_view>

#include "value/json/json.h"
#include "value/json/number.h"

namespace mayfly::fauna {
namespace {

void put_text_member(std::string_view before, std::string_view text, std::string& out) {
  out += before;
  render_json_text(text, out);
}

void put_number(std::string_view before, std::int64_t n, std::string& out) {
  out += before;
  put_integer(out, n);
}

void put_frame(const QueryFrame& frame, std::string& out) {
  const QueryStats& stats = frame.stats;
  put_number(R"(,"txn_ts":)", frame.txn_at.micros, out);
  put_number(R"(,"stats":{"compute_ops":)", stats.compute_ops, out);
  put_number(R"(,"read_ops":)", stats.read_ops, out);
  put_number(R"(,"write_ops":)", stats.write_ops, out);
  put_number(R"(,"query_time_ms":)", stats.query_time_ms, out);
  put_number(R"(,"contention_retries":)", stats.contention_retries, out);
  put_number(R"(,"storage_bytes_read":)", stats.storage_bytes_read, out);
  put_number(R"(,"storage_bytes_write":)", stats.storage_bytes_write, out);
  out += R"(,"rate_limits_hit":[]})";
  if (!frame.tags.empty()) put_text_member(R"(,"query_tags":)", frame.tags, out);
  put_number(R"(,"schema_version":)", frame.schema_version.micros, out);
  out += '}';
}

void put_path(const FailurePath& path, std::string& out) {
  out += '[';
  std::string_view before;
  for (const auto& step : path) {
    out += before;
    before = ",";
    if (const auto* name = std::get_if<std::string>(&step)) {
      render_json_text(*name, out);
    } else {
      out += fmt::to_string(std::get<std::int64_t>(step));
    }
  }
  out += ']';
}

void put_constraint_failure(const ConstraintFailure& failure, std::string& out) {
  out += R"({"paths":[)";
  for (const FailurePath& path : failure.paths) {
    if (&path != failure.paths.data()) out += ',';
    put_path(path, out);
  }
  put_text_member(R"(],"message":)", failure.message, out);
  out += '}';
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
  std::string out = R"({"data":)" + outcome.data;
  if (outcome.static_type) put_text_member(R"(,"static_type":)", *outcome.static_type, out);
  put_text_member(R"(,"summary":)", outcome.summary, out);
  put_frame(frame, out);
  return out;
}

std::string render_failure(const QueryFailure& failure, const std::string& summary, Format format,
                           const QueryFrame& frame) {
  std::string out;
  put_text_member(R"({"error":{"code":)", failure.code, out);
  put_text_member(R"(,"message":)", failure.message, out);
  if (!failure.constraint_failures.empty()) {
    std::string_view before = R"(,"constraint_failures":[)";
    for (const ConstraintFailure& each : failure.constraint_failures) {
      out += before;
      before = ",";
      put_constraint_failure(each, out);
    }
    out += ']';
  }
  if (failure.abort) out += R"(,"abort":)" + encode(*failure.abort, format);
  put_text_member(R"(},"summary":)", summary, out);
  put_frame(frame, out);
  return out;
}

std::string render_protocol_error(const ProtocolError& error, const std::string& tags) {
  std::string out;
  put_text_member(R"({"error":{"code":)", error.code, out);
  put_text_member(R"(,"message":)", error.message, out);
  out += '}';
  if (!tags.empty()) put_text_member(R"(,"query_tags":)", tags, out);
  out += '}';
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
