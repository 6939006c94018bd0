// Errors in the native dialect's words: {"error": {"code", "message", "field"?}}.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "net/message.h"

namespace mayfly::native {

net::Response render_error(const Error& error);
// A path that has no such method.
net::Response refuse_method(const net::Request& request, const std::vector<std::string>& methods);

}  // namespace mayfly::native
