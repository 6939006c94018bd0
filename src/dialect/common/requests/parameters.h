// Typed reading of a request's query parameters. A missing parameter is no error. One that occurs
// twice, or whose text is not such a value, fails with invalid and names the parameter.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "net/message.h"

namespace mayfly {

// Fails if the request has a parameter that is not known, or has one twice; names it.
Result<void> check_parameters(const net::Request& request, std::span<const std::string_view> known);

Result<std::optional<std::string>> text_parameter(const net::Request& request,
                                                  std::string_view name);
// Decimal digits with an optional minus, within [least, greatest].
Result<std::optional<std::int64_t>> integer_parameter(const net::Request& request,
                                                      std::string_view name, std::int64_t least,
                                                      std::int64_t greatest);
// "true" or "false".
Result<std::optional<bool>> boolean_parameter(const net::Request& request, std::string_view name);
// RFC 3339.
Result<std::optional<Instant>> time_parameter(const net::Request& request, std::string_view name);

// The same for a text from elsewhere; `field` names it in the error.
Result<std::int64_t> parse_integer(std::string_view text, std::string field, std::int64_t least,
                                   std::int64_t greatest);
Result<Instant> parse_time(std::string_view text, std::string field);

}  // namespace mayfly
