// Which browser origins may call, and the headers that tell them so (Fetch standard, CORS
// protocol).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "net/message.h"

namespace mayfly::net {

// Who answers the preflight of an origin that may call: the server, with headers alone, or the
// handler in its own words, to which the server adds those headers.
enum class Preflights { by_server, by_handler };

// Threads: immutable, any.
class Cors {
 public:
  // The rows of ServerOptions::cors_origins.
  explicit Cors(std::vector<std::string> origins) : origins_(std::move(origins)) {}

  bool allows(std::string_view origin) const;
  // The answer to a preflight of an origin that may call; nothing where the request is none, or the
  // origin may not.
  std::optional<Response> answer_preflight(const Request& request) const;
  // Adds what lets the page that asked read the response; nothing where it may not.
  void open(const Request& request, Response& response) const;

 private:
  std::vector<std::string> origins_;
};

}  // namespace mayfly::net
