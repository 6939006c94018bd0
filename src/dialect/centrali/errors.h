// Failures on the wire: {"error", "message", "details": [{"field", "message"}], "code",
// "requestId"}.
#pragma once

#include <string_view>
#include <vector>

#include "base/random.h"
#include "dialect/centrali/call.h"
#include "net/message.h"

namespace mayfly::centrali {

// If `details` is empty, it is made of the error's own field. If `code` is empty, it is the default
// code of such errors.
net::Response render_error(const Error& error, const std::vector<Detail>& details,
                           std::string_view request_id, std::string_view code = {});
// The same under a name of its own, for the token routes: invalid_client and the like.
net::Response render_token_error(int status, std::string_view name, std::string_view message,
                                 std::string_view request_id);
net::Response render_method_not_allowed(const std::vector<std::string>& methods,
                                        std::string_view request_id);
// The client's x-request-id if it is well-formed, or else a new one.
std::string request_id_of(const net::Request& request, Random& random);

}  // namespace mayfly::centrali
