// Errors in the form that this dialect's clients expect. A failed query is answered with its
// QueryFailure (run/failure.h) and always with status 400; any other failure of a request is a
// ProtocolError.
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
  std::string_view description;  // when it is reported, as a sentence
};
// All codes of failed queries.
std::span<const QueryErrorCode> query_error_codes();
bool is_query_error_code(std::string_view code);

struct ProtocolError {
  int status = 500;
  std::string_view code;
  std::string message;
};
// The response to an error that is not the failure of a query.
ProtocolError protocol_error(const Error& error);
// The same for an exceeded deadline: status 440, the client's error, if it allowed at most a
// second; else 503.
ProtocolError deadline_error(mayfly::Span timeout);

}  // namespace mayfly::fauna
