// Message: one request to the API, however it came.
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

// Which of Kuzzle's words the client knows; each of its libraries says who it is in `volatile`.
enum class Shape {
  v1,       // 1.2: facts about documents in _meta
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
  Shape shape = Shape::v1;  // until it is parsed: of a client that does not name its library
  Protocol protocol = Protocol::websocket;
  bool is_pretty = false;
  bool has_cookie_token = false;  // `token` is that of a cookie
};

// The same action, asked in another place; nothing else of the message.
Message same_action_in(const Message& message, std::string index, std::string collection);

// Out of a WebSocket's message. What fails leaves in `message` what has been understood, for the
// answer to name.
Result<void> parse_message(const Value& sent, Message& message);

enum class TokensInUrls { refused, taken };
// Out of a request over HTTP whose path a route fits, all but the body; `captured` is what the path
// says. Fails with invalid where the address has a token and may not.
Result<void> parse_head(const net::Request& request, std::span<const net::Capture> captured,
                        TokensInUrls tokens, Message& message);
// The token of the headers alone.
void take_token(const net::Request& request, Message& message);
// The token that the request's cookie names; empty: none.
std::string token_of_cookie(const net::Request& request);
// What sets that cookie: no page can read it, and none of another site has it sent.
std::string render_cookie(std::string_view token, std::int64_t seconds, bool is_secure);
// The body of that request, unpacked where it came packed. Large ones take long.
Result<void> parse_body(const net::Request& request, const std::string& body, Message& message);

// What `volatile` says of the client's library. None where it names no library.
std::optional<Shape> shape_of_library(const Value& volatile_data);
// The shape of a version by its name: 1, 1.12 or 2. None for any other text.
std::optional<Shape> shape_of_version(std::string_view version);
// The version that the request asks for in its address (`kuzzleVersion`) or in the header
// X-Kuzzle-Version, for a client that does not name its library. Fails with invalid.
Result<std::optional<Shape>> named_shape(const net::Request& request);

}  // namespace mayfly::kuzzle
