// Errors of the native dialect: {"error": {"code", "message", "field"?}}.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "net/message.h"

namespace mayfly::native {

net::Response render_error(const Error& error);
// The answer for a path without this method.
net::Response refuse_method(const net::Request& request, const std::vector<std::string>& methods);

}  // namespace mayfly::native
