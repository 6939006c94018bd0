// Errors as this dialect's clients know them. A query that fails is answered with its QueryFailure
// (run/failure.h) and always with the status 400; everything else that goes wrong with a request is
// a ProtocolError.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"

namespace mayfly::fauna {

inline constexpr int query_failure_status = 400;

struct QueryErrorCode {
  std::string_view code;
  std::string_view says;  // when it is given, for the documentation
};
// All codes of failing queries, in the order of the documentation.
std::span<const QueryErrorCode> query_error_codes();
bool is_query_error_code(std::string_view code);

struct ProtocolError {
  int status = 500;
  std::string_view code;
  std::string message;
};
// What a client is answered to an error that is no query's own failure.
ProtocolError protocol_error(const Error& error);
// The same of a deadline that passed: the client's fault where it allowed less than a second.
ProtocolError deadline_error(mayfly::Span timeout);

}  // namespace mayfly::fauna
