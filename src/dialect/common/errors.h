// The HTTP side of errors, where the dialects agree: the status of each code, and the headers that
// go with some.
#pragma once

#include "base/result.h"
#include "net/message.h"

namespace mayfly {

int http_status(Code code);

// Adds what a client needs to react: Retry-After where trying later helps, WWW-Authenticate where
// nobody said who asks.
void add_error_headers(Code code, net::Response& response);

// What a client is told. The message of internal and corrupt errors names things of ours: it goes
// to the log, and a fixed sentence takes its place.
std::string told_message(const Error& error);

}  // namespace mayfly
