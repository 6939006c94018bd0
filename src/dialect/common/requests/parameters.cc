// Reads query parameters as values.
#include "dialect/common/requests/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "value/rfc3339.h"

namespace mayfly {

Result<void> check_parameters(const net::Request& request,
                              std::span<const std::string_view> known) {
  for (std::size_t i = 0; i < request.parameters.size(); ++i) {
    const std::string& name = request.parameters[i].first;
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      return fail(Code::invalid, fmt::format("there is no parameter \"{}\" here", name), name);
    }
    for (std::size_t k = 0; k < i; ++k) {
      if (request.parameters[k].first == name) {
        return fail(Code::invalid, fmt::format("\"{}\" is given more than once", name), name);
      }
    }
  }
  return {};
}

Result<std::optional<std::string>> text_parameter(const net::Request& request,
                                                  std::string_view name) {
  const std::string* found = nullptr;
  for (const net::Pair& pair : request.parameters) {
    if (pair.first != name) continue;
    if (found != nullptr) {
      return fail(Code::invalid, fmt::format("\"{}\" is given more than once", name),
                  std::string(name));
    }
    found = &pair.second;
  }
  if (found == nullptr) return std::nullopt;
  return *found;
}

Result<std::optional<std::int64_t>> integer_parameter(const net::Request& request,
                                                      std::string_view name, std::int64_t least,
                                                      std::int64_t greatest) {
  const auto text = TRY(text_parameter(request, name));
  if (!text) return std::nullopt;
  return TRY(parse_integer(*text, std::string(name), least, greatest));
}

Result<std::optional<bool>> boolean_parameter(const net::Request& request, std::string_view name) {
  const auto text = TRY(text_parameter(request, name));
  if (!text) return std::nullopt;
  if (*text == "true") return true;
  if (*text == "false") return false;
  return fail(Code::invalid, fmt::format("\"{}\" must be true or false", name), std::string(name));
}

Result<std::optional<Instant>> time_parameter(const net::Request& request, std::string_view name) {
  const auto text = TRY(text_parameter(request, name));
  if (!text) return std::nullopt;
  auto time = parse_time(*text, std::string(name));
  if (!time && text->find(' ') != std::string::npos) {
    time.error().message += "; in a URL, write the + of an offset as %2B";
  }
  return TRY(std::move(time));
}

Result<std::int64_t> parse_integer(std::string_view text, std::string field, std::int64_t least,
                                   std::int64_t greatest) {
  std::int64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  if (!is_whole || n < least || n > greatest) {
    auto message =
        fmt::format("\"{}\" must be a whole number from {} to {}", field, least, greatest);
    return fail(Code::invalid, std::move(message), std::move(field));
  }
  return n;
}

Result<Instant> parse_time(std::string_view text, std::string field) {
  auto parsed = parse_rfc3339(text);
  if (parsed) return *parsed;
  auto message =
      fmt::format("\"{}\" must be a time in RFC 3339, as in 2026-09-01T00:00:00Z", field);
  return fail(Code::invalid, std::move(message), std::move(field));
}

}  // namespace mayfly
