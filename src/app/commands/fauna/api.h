// What commands ask of the Fauna API. The errors say which flag would help.
#pragma once

#include <string>

#include "app/commands/remote.h"
#include "base/result.h"
#include "value/value.h"

namespace mayfly::app {

// The server that the flags of the native API name, with the secret and the port of `fauna`.
// `has_url`: one was given.
Remote as_fauna(const Remote& given, const Remote& fauna, bool has_url);

// `of_missing`: what is to be said of a secret of a database that is not there.
Result<Value> ask_fauna(const Remote& remote, const Ask& what, const char* of_missing);

// The body of a query with the argument `name`.
std::string query_body(const char* text, const std::string& name);

// The flag --secret, for the remote's key.
void add_secret(CLI::App& verb, std::string& secret);

}  // namespace mayfly::app
