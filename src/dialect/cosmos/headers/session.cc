#include "dialect/cosmos/headers/session.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <span>

#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/ranges/named_range.h"

namespace mayfly::cosmos {
namespace {

constexpr std::string_view session_header = "x-ms-session-token";
constexpr std::string_view token_version = ":-1#";
constexpr int session_is_ahead_substatus = 1002;

// Removes and returns the part before the separator, and removes the separator; the whole text if
// there is none.
std::string_view take_until(char separator, std::string_view& rest) {
  const std::size_t end = std::min(rest.find(separator), rest.size());
  const std::string_view taken = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return taken;
}

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
  return is_whole ? std::optional(number) : std::nullopt;
}

// The number of one token; nothing if it is malformed.
std::optional<std::int64_t> number_of_token(std::string_view token) {
  const std::size_t colon = token.find(':');
  if (colon == 0 || colon == std::string_view::npos || token.ends_with('#')) return std::nullopt;
  std::string_view rest = token.substr(colon + 1);
  std::optional<std::int64_t> number = number_in(take_until('#', rest));
  if (number && !rest.empty()) number = number_in(take_until('#', rest));
  while (number && !rest.empty()) {
    std::string_view progress = take_until('#', rest);
    const bool is_region = number_in(take_until('=', progress)) && number_in(progress);
    if (!is_region) return std::nullopt;
  }
  return number;
}

}  // namespace

Result<void> check_session(CosmosCall& call, const Container& container) {
  std::string_view rest = call.header(session_header);
  const std::string_view given = rest;
  const std::int64_t newest = container.collection->commits->value();
  while (!rest.empty()) {
    const auto number = number_of_token(take_until(',', rest));
    if (!number) {
      return tl::unexpected(bad_request(
          fmt::format("The session token provided '{}' is invalid.", given), "x-ms-session-token"));
    }
    if (*number <= newest) continue;
    call.substatus = session_is_ahead_substatus;
    return fail(Code::not_found, "The read session is not available for the input session token.");
  }
  return {};
}

void add_session(const Container& container, const KeyRange* range, net::Response& response) {
  const std::vector<KeyRange>& all = container.definition.ranges.all();
  if (range == nullptr && all.size() == 1) range = &all.front();
  if (range != nullptr) response.headers.emplace_back(range_header, range->id);
  const std::span<const KeyRange> seen = range ? std::span(range, 1) : std::span(all);
  const std::int64_t number = container.collection->commits->value();
  std::string tokens;
  for (const KeyRange& one : seen) {
    tokens += fmt::format("{}{}{}{}", tokens.empty() ? "" : ",", one.id, token_version, number);
  }
  response.headers.emplace_back(session_header, std::move(tokens));
  response.headers.emplace_back("lsn", std::to_string(number));
}

void write_session_token_as_of(std::string_view api_version, net::Response& response) {
  constexpr std::string_view versioned_since = "2018-06-18";
  if (api_version.empty() || api_version >= versioned_since) return;
  for (auto& [name, value] : response.headers) {
    if (name != session_header) continue;
    for (auto at = value.find(token_version); at != std::string::npos;
         at = value.find(token_version, at)) {
      value.replace(at, token_version.size(), ":");
    }
  }
}

}  // namespace mayfly::cosmos
