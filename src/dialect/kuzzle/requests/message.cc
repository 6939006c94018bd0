#include "dialect/kuzzle/requests/message.h"

#include <fmt/format.h>

#include <algorithm>

#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/limits.h"
#include "dialect/kuzzle/memory/memory.h"
#include "dialect/kuzzle/requests/forms.h"
#include "expr/evaluation/meter.h"
#include "net/router.h"
#include "value/json/json.h"

namespace mayfly::kuzzle {
namespace {

constexpr std::string_view bearer = "Bearer ";
constexpr std::string_view token_cookie = "authToken=";

// The text members of a message, and where they are stored.
struct TextMember {
  std::string_view name;
  std::string Message::* into;
};
constexpr TextMember text_members[] = {
    {"requestId", &Message::request_id},  {"controller", &Message::controller},
    {"action", &Message::action},         {"index", &Message::index},
    {"collection", &Message::collection}, {"jwt", &Message::token},
};

Result<void> take_member(const std::string& name, const Value& value, Message& message) {
  for (const TextMember& member : text_members) {
    if (name != member.name) continue;
    if (value.is_null()) return {};
    if (!value.is(Kind::text)) return wrong_type(name, "string");
    message.*member.into = value.text();
    return {};
  }
  if (name == "_id") {
    if (value.is_null()) return {};
    if (!value.is(Kind::text)) return wrong_type(name, "string");
    message.id = value.text();
  } else if (name == "body") {
    if (value.is_null()) return {};
    if (!value.is(Kind::object)) return wrong_type(name, "object");
    message.body = value;
  } else if (name == "volatile") {
    if (value.is_null()) return {};
    if (!value.is(Kind::object)) return wrong_type(name, "object");
    message.volatile_data = value;
  } else {
    message.arguments.append(name, value);  // an object's names are unique
  }
  return {};
}

// The token is read first, so that a single-use token is used up whatever else is wrong. It takes
// precedence over those of the headers.
Result<void> take_own_token(const Value& sent, Message& message) {
  const Value token = sent.member("jwt");
  if (token.is(Kind::text)) message.has_cookie_token = false;
  return token.is_missing() ? Result<void>() : take_member("jwt", token, message);
}

// Returned with every answer and notification of the message.
Result<void> check_echo(const Message& message) {
  if (message.request_id.size() > limits::request_id_bytes_max) {
    return fail(Code::too_large,
                fmt::format("\"requestId\" has at most {} bytes", limits::request_id_bytes_max));
  }
  if (message.volatile_data.is_missing() ||
      weight(message.volatile_data) <= limits::message_volatile_bytes_max) {
    return {};
  }
  return fail(Code::too_large, fmt::format("\"volatile\" takes at most {} bytes of memory",
                                           limits::message_volatile_bytes_max));
}

Result<void> take_headers(const net::Request& request, Message& message) {
  take_token(request, message);
  const std::string* sent = request.header("x-kuzzle-volatile");
  if (sent == nullptr) return {};
  auto parsed = parse_json(*sent);
  if (!parsed || !parsed->is(Kind::object)) {
    return fail(Code::invalid, "Unable to convert the header x-kuzzle-volatile to JSON");
  }
  message.volatile_data = *std::move(parsed);
  return {};
}

void take_text(std::string_view name, const std::string& text, Message& message) {
  if (name == "_id") {
    message.id = text;
  } else if (name == "index") {
    message.index = text;
  } else if (name == "collection") {
    message.collection = text;
  } else if (name == "requestId") {
    message.request_id = text;
  } else if (name == "jwt") {
    message.token = text;  // for links
    message.has_cookie_token = false;
  } else {
    message.arguments.set(std::string(name), text);
  }
}

// In the memory storage a repeated name is an array: so clients send arrays in URLs.
void take_parameter(const std::string& name, const std::string& text, Message& message) {
  Value* const before = message.arguments.find(name);
  if (message.controller != memory::controller || before == nullptr) {
    take_text(name, text, message);
  } else if (before->is(Kind::array)) {
    before->mutable_array().emplace_back(text);
  } else {
    *before = Array{*before, text};
  }
}

}  // namespace

Message same_action_in(const Message& message, std::string index, std::string collection) {
  return {.controller = message.controller,
          .action = message.action,
          .index = std::move(index),
          .collection = std::move(collection)};
}

Result<const Generation*> named_generation(const net::Request& request) {
  const std::string* named = request.parameter("kuzzleVersion");
  if (named == nullptr) named = request.header("x-kuzzle-version");
  if (named == nullptr) return nullptr;
  if (const Generation* generation = generation_of_version(*named)) return generation;
  return problem("api.assert.invalid_argument",
                 fmt::format("The version of Kuzzle is 1, 1.12 or 2, not \"{}\".", *named));
}

Result<void> parse_message(const Value& sent, Message& message) {
  if (!sent.is(Kind::object)) return fail(Code::invalid, "a request is a JSON object");
  // The request id is read first, so that the answer has it whatever else is wrong.
  for (const std::string_view name : {"requestId", "volatile"}) {
    const Value value = sent.member(name);
    if (!value.is_missing()) TRY(take_member(std::string(name), value, message));
  }
  if (const Generation* of_library = generation_of_library(message.volatile_data)) {
    message.generation = of_library;
  }
  TRY(take_own_token(sent, message));
  for (const auto& [name, value] : sent.object()) TRY(take_member(name, value, message));
  return check_echo(message);
}

void take_token(const net::Request& request, Message& message) {
  if (const std::string* token = request.header("authorization")) {
    if (token->starts_with(bearer)) message.token = token->substr(bearer.size());
  }
  if (!message.token.empty()) return;
  message.token = token_of_cookie(request);
  message.has_cookie_token = !message.token.empty();
}

Result<void> parse_head(const net::Request& request, std::span<const net::Capture> captured,
                        TokensInUrls tokens, Message& message) {
  message.protocol = Protocol::http;
  message.is_pretty = request.parameter("pretty") != nullptr;
  TRY(take_headers(request, message));
  const Generation* generation = TRY(named_generation(request));
  if (const Generation* of_library = generation_of_library(message.volatile_data)) {
    generation = of_library;
  }
  if (generation != nullptr) message.generation = generation;
  if (tokens == TokensInUrls::refused && request.parameter("jwt") != nullptr) {
    return problem("api.assert.unexpected_argument",
                   "Tokens in addresses (?jwt=) are off, because proxies log them: send the header "
                   "Authorization, or set kuzzle.jwtInUrls.");
  }
  for (const auto& [name, text] : request.parameters) take_parameter(name, text, message);
  for (const auto& [name, text] : captured) take_text(name, text, message);
  return check_echo(message);
}

std::string token_of_cookie(const net::Request& request) {
  for (const auto& [header, value] : request.headers) {
    if (header != "cookie") continue;
    std::string_view rest = value;
    while (!rest.empty()) {
      std::string_view one = rest.substr(0, rest.find(';'));
      rest.remove_prefix(std::min(one.size() + 1, rest.size()));
      while (!one.empty() && one.front() == ' ') one.remove_prefix(1);
      if (one.starts_with(token_cookie)) return std::string(one.substr(token_cookie.size()));
    }
  }
  return {};
}

std::string render_cookie(std::string_view token, std::int64_t seconds, bool is_secure) {
  return fmt::format("{}{}; Path=/; Max-Age={}; HttpOnly; SameSite=Strict{}", token_cookie, token,
                     seconds, is_secure ? "; Secure" : "");
}

Result<void> parse_body(const net::Request& request, const std::string& body, Message& message) {
  if (body.empty()) return {};
  const std::string* type = request.header("content-type");
  if (type != nullptr && is_form(*type)) {
    message.body = TRY(parse_form(*type, body));
    return {};
  }
  if (type != nullptr && type->find("application/json") == std::string::npos) {
    return fail(
        Code::invalid,
        "Invalid request content-type. Expected \"application/json\", got: \"" + *type + "\"");
  }
  auto parsed = parse_json(body, {.bytes_max = body.size()});
  if (!parsed) {
    return fail(Code::invalid, "Unable to convert HTTP body to JSON: " + parsed.error().message);
  }
  if (!parsed->is(Kind::object)) return wrong_type("body", "object");
  message.body = *std::move(parsed);
  return {};
}

}  // namespace mayfly::kuzzle
