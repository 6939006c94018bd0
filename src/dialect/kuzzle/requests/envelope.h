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

// With `room` over a WebSocket, by which clients find whom they asked for. One line, or where the
// client wants it pretty, many.
std::string render_envelope(const Message& message, const Reply& reply);
// For a text that is no request at all.
std::string render_bare_error(const Object& error);
// JSON on many lines, two spaces deep at each level.
std::string render_pretty(std::string_view json);

}  // namespace mayfly::kuzzle
