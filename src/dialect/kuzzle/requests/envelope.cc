#include "dialect/kuzzle/requests/envelope.h"

#include "value/json/json.h"
#include "value/json/writer.h"

namespace mayfly::kuzzle {
namespace {

// The end of the string literal that begins at `i`.
std::size_t end_of_text(std::string_view json, std::size_t i) {
  for (++i; i < json.size() && json[i] != '"'; ++i) {
    if (json[i] == '\\') ++i;
  }
  return i + 1;
}

}  // namespace

std::string render_envelope(const Message& message, const Reply& reply) {
  constexpr std::size_t beside_the_result = 320;  // mostly
  std::string out;
  out.reserve(beside_the_result + reply.result.size());
  JsonWriter json(out);
  json.begin_object();
  json.member("requestId", message.request_id);
  json.member("status", reply.status);
  json.name("error");
  if (reply.error) {
    render_json(*reply.error, json.begin_value());
  } else {
    json.null();
  }
  json.text_or_null("controller", message.controller);
  json.text_or_null("action", message.action);
  json.text_or_null("collection", message.collection);
  json.text_or_null("index", message.index);
  json.name("volatile");
  if (message.volatile_data.is_missing()) {
    json.null();
  } else {
    json.value(message.volatile_data);
  }
  json.raw_member("result", reply.result.empty() ? std::string_view("null") : reply.result);
  if (message.protocol == Protocol::websocket) json.text_or_null("room", message.request_id);
  if (message.generation->has_node) json.member("node", "mayfly");
  json.end_object();
  return message.is_pretty ? render_pretty(out) : out;
}

std::string render_bare_error(const Object& error) {
  return render_json(error);
}

std::string render_pretty(std::string_view json) {
  std::string out;
  std::size_t depth = 0;
  const auto new_line = [&] { out.append(1, '\n').append(2 * depth, ' '); };
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '"') {
      const std::size_t end = end_of_text(json, i);
      out += json.substr(i, end - i);
      i = end - 1;
    } else if (c == '{' || c == '[') {
      out += c;
      if (i + 1 < json.size() && (json[i + 1] == '}' || json[i + 1] == ']')) {
        out += json[++i];
        continue;
      }
      ++depth;
      new_line();
    } else if (c == '}' || c == ']') {
      --depth;
      new_line();
      out += c;
    } else {
      out += c;
      if (c == ',') new_line();
      if (c == ':') out += ' ';
    }
  }
  return out;
}

}  // namespace mayfly::kuzzle
