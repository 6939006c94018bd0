// The answer around every result.
#pragma once

#include <optional>
#include <string>

#include "dialect/kuzzle/requests/message.h"

namespace mayfly::kuzzle {

struct Reply {
  int status = 200;
  std::string result = {};  // JSON; empty: null
  std::optional<Object> error = {};
};

// Over a WebSocket it has `room`, by which clients match the answer to their request. One line, or
// many if the client requests pretty JSON.
std::string render_envelope(const Message& message, const Reply& reply);
// For a text that is not a request.
std::string render_bare_error(const Object& error);
// JSON on many lines, two spaces deep at each level.
std::string render_pretty(std::string_view json);

}  // namespace mayfly::kuzzle
