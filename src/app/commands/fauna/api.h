// Requests of commands to the Fauna API. Error messages say which flag would help.
#pragma once

#include <string>

#include "app/commands/remote.h"
#include "base/result.h"
#include "value/value.h"

namespace mayfly::app {

// The server of `native`, the flags of the native API, with the secret and the port of `fauna`.
// `has_url`: whether the user gave a URL.
Remote fauna_remote(const Remote& native, const Remote& fauna, bool has_url);

// `missing_message`: the message for a secret whose database does not exist.
Result<Value> call_fauna(const Remote& remote, const ApiRequest& request,
                         const char* missing_message);

// The body of a query with the argument `name`.
std::string query_body(const char* text, const std::string& name);

// The flag --secret, for the remote's key.
void add_secret(CLI::App& verb, std::string& secret);

}  // namespace mayfly::app
