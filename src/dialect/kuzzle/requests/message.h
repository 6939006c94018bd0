// Message: one request to the API, from either protocol.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/random.h"
#include "net/message.h"
#include "net/router.h"
#include "value/value.h"

namespace mayfly::kuzzle {

// The version of Kuzzle's API that the client uses. Kuzzle's libraries name themselves in
// `volatile`.
enum class Shape {
  v1,       // 1.2: metadata of documents in _meta
  v1_late,  // 1.12: also in _source._kuzzle_info
  v2        // only there
};
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
  Shape shape =
      Shape::v1;  // before parsing: the default for clients that do not name their library
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

// The shape for the client's library in `volatile`. Nothing if none is named.
std::optional<Shape> shape_of_library(const Value& volatile_data);
// The shape for a version: 1, 1.12 or 2. Nothing for other texts.
std::optional<Shape> shape_of_version(std::string_view version);
// The version in the request's URL (`kuzzleVersion`) or in the header X-Kuzzle-Version, for a
// client that does not name its library. Fails with invalid.
Result<std::optional<Shape>> named_shape(const net::Request& request);

}  // namespace mayfly::kuzzle
