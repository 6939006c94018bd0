// Which browser origins may call, and the headers that permit it (Fetch standard, CORS protocol).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "net/message.h"

namespace mayfly::net {

// What answers the preflight of a permitted origin. `by_server`: the server, with headers alone.
// `by_handler`: the handler, to whose answer the server adds those headers.
enum class Preflights { by_server, by_handler };

// Threads: immutable, any.
class Cors {
 public:
  // The rows of ServerOptions::cors_origins.
  explicit Cors(std::vector<std::string> origins) : origins_(std::move(origins)) {}

  bool allows(std::string_view origin) const;
  // The answer to a preflight of a permitted origin. Empty if the request is not a preflight, or
  // the origin is not permitted.
  std::optional<Response> answer_preflight(const Request& request) const;
  // Adds the headers that permit the calling page to read the response, if its origin is permitted.
  void open(const Request& request, Response& response) const;

 private:
  std::vector<std::string> origins_;
};

}  // namespace mayfly::net
