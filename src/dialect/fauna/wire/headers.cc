// One row for each header; its function returns the reason why a value is invalid.
#include "dialect/fauna/wire/headers.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace mayfly::fauna {
namespace {

using Reason = std::optional<std::string>;

std::optional<std::int64_t> header_number(std::string_view text) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return number;
}

Reason read_boolean(std::string_view text, bool& out) {
  if (text != "true" && text != "false") return "Must be a boolean value.";
  out = text == "true";
  return {};
}

Reason read_format(std::string_view text, QueryOptions& options) {
  constexpr std::string_view words[] = {"simple", "tagged", "decorated"};
  const auto* const word = std::find(std::begin(words), std::end(words), text);
  if (word == std::end(words)) return fmt::format("Invalid format {}", text);
  options.format = static_cast<Format>(word - std::begin(words));
  return {};
}

Reason read_typecheck(std::string_view text, QueryOptions& options) {
  bool value = false;
  auto reason = read_boolean(text, value);
  if (!reason) options.typecheck = value;
  return reason;
}

Reason read_linearized(std::string_view text, QueryOptions& options) {
  return read_boolean(text, options.is_linearized);
}

Reason read_performance_hints(std::string_view text, QueryOptions& options) {
  return read_boolean(text, options.wants_performance_hints);
}

Reason read_timeout(std::string_view text, QueryOptions& options) {
  const auto millis = header_number(text);
  if (!millis) return fmt::format("Invalid number '{}'.", text);
  if (*millis <= 0) return "Must be greater than 0.";
  if (*millis > limits::fql_timeout_ms_max) {
    return fmt::format("Must be less than or equal to {}.", limits::fql_timeout_ms_max);
  }
  options.timeout = mayfly::Span::millis(*millis);
  return {};
}

Reason parse_last_txn(std::string_view text, QueryOptions& options) {
  const auto micros = header_number(text);
  if (!micros || *micros < 0) return fmt::format("Invalid timestamp '{}'.", text);
  options.last_txn_at = Instant{*micros};
  return {};
}

Reason read_retries(std::string_view text, QueryOptions& options) {
  const auto count = header_number(text);
  if (!count) return fmt::format("Invalid number '{}'.", text);
  if (*count < 0 || *count > limits::fql_contention_retries_max) {
    return fmt::format("Must be between 0 and {}.", limits::fql_contention_retries_max);
  }
  options.contention_retries = static_cast<int>(*count);
  return {};
}

bool is_tag(std::string_view tag) {
  const std::size_t equals = tag.find('=');
  if (equals == 0 || equals == std::string_view::npos) return false;
  const std::string_view value = tag.substr(equals + 1);
  return equals <= limits::fql_tag_name_bytes_max &&
         value.size() <= limits::fql_tag_value_bytes_max &&
         value.find('=') == std::string_view::npos;
}

bool are_tags(std::string_view text) {
  if (text.size() > limits::fql_tags_bytes_max) return false;
  std::size_t count = 0;
  for (bool is_more = true; is_more; ++count) {
    const std::size_t comma = text.find(',');
    is_more = comma != std::string_view::npos;
    if (!is_tag(text.substr(0, comma))) return false;
    text.remove_prefix(is_more ? comma + 1 : text.size());
  }
  return count <= limits::fql_tags_max;
}

Reason read_tags(std::string_view text, QueryOptions& options) {
  if (text.empty()) return {};
  if (!are_tags(text)) return "invalid tags";
  options.tags = text;
  return {};
}

// The format of W3C Trace Context: version-trace-parent-flags, in lower-case hexadecimal digits.
Reason read_traceparent(std::string_view text, QueryOptions& options) {
  constexpr std::string_view form = "hh-hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh-hhhhhhhhhhhhhhhh-hh";
  const bool is_well_formed =
      std::equal(text.begin(), text.end(), form.begin(), form.end(), [](char c, char at) {
        return at == '-' ? c == '-' : (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
      });
  if (is_well_formed && !text.starts_with("ff")) options.traceparent = text;
  return {};
}

struct HeaderRow {
  std::string_view name;
  Reason (*read)(std::string_view text, QueryOptions& options);
};
constexpr HeaderRow header_rows[] = {
    {"x-format", read_format},
    {"x-typecheck", read_typecheck},
    {"x-linearized", read_linearized},
    {"x-performance-hints", read_performance_hints},
    {"x-query-timeout-ms", read_timeout},
    {"x-last-txn-ts", parse_last_txn},
    {"x-max-contention-retries", read_retries},
    {"x-query-tags", read_tags},
    {"traceparent", read_traceparent},
};

}  // namespace

Result<QueryOptions> parse_options(const net::Request& request) {
  QueryOptions options;
  for (const HeaderRow& row : header_rows) {
    const std::string* const text = request.header(row.name);
    if (text == nullptr) continue;
    if (const auto reason = row.read(*text, options)) {
      return fail(Code::invalid, fmt::format("Invalid header '{}': {}", row.name, *reason),
                  std::string(row.name));
    }
  }
  return options;
}

}  // namespace mayfly::fauna
