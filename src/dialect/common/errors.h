// The HTTP form of errors that the dialects share: the status of each code, and headers of some.
#pragma once

#include "base/result.h"
#include "net/message.h"

namespace mayfly {

int http_status(Code code);

// Adds headers that a client needs: Retry-After if trying later helps, WWW-Authenticate if the
// request lacks valid credentials.
void add_error_headers(Code code, net::Response& response);

// The message for a client. The message of internal and corrupt errors contains internal details:
// it is logged, and the client gets a fixed sentence.
std::string client_message(const Error& error);

}  // namespace mayfly
