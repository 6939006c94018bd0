// Message: one request to the API, from either protocol.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/random.h"
#include "dialect/kuzzle/generations/generation.h"
#include "net/message.h"
#include "net/router.h"
#include "value/value.h"

namespace mayfly::kuzzle {

enum class Protocol { http, websocket };

struct Message {
  std::string request_id;
  std::string controller;
  std::string action;
  std::string index;
  std::string collection;
  std::optional<std::string> id;
  Value body;           // missing: there is none
  Object arguments;     // all other members or parameters
  Value volatile_data;  // an object, or missing
  std::string token;
  // The version of the API that the client uses; never null. Kuzzle's libraries name themselves in
  // `volatile`. Before parsing: the default for clients that do not.
  const Generation* generation = &generations::v1;
  Protocol protocol = Protocol::websocket;
  bool is_pretty = false;
  bool has_cookie_token = false;  // `token` comes from a cookie
};

// A message with the same action in another collection, and nothing else.
Message same_action_in(const Message& message, std::string index, std::string collection);

// Parses a WebSocket's message. On failure `message` has the members parsed so far, which the
// answer shows.
Result<void> parse_message(const Value& sent, Message& message);

enum class TokensInUrls { refused, taken };
// Parses an HTTP request that matches a route, except its body; `captured` has the parameters in
// the path. Fails with invalid if the URL has a token and may not.
Result<void> parse_head(const net::Request& request, std::span<const net::Capture> captured,
                        TokensInUrls tokens, Message& message);
// Reads the token from the headers only.
void take_token(const net::Request& request, Message& message);
// The token in the request's cookie; empty: none.
std::string token_of_cookie(const net::Request& request);
// The header value that sets the cookie: pages cannot read it, and pages of other sites cannot send
// it.
std::string render_cookie(std::string_view token, std::int64_t seconds, bool is_secure);
// Parses the body of that request, decompressing it if necessary. Takes long for large bodies.
Result<void> parse_body(const net::Request& request, const std::string& body, Message& message);

// The version in the request's URL (`kuzzleVersion`) or in the header X-Kuzzle-Version, for a
// client that does not name its library; null: there is none. Fails with invalid.
Result<const Generation*> named_generation(const net::Request& request);

}  // namespace mayfly::kuzzle
