// A frame, in the forms that occur here (RFC 6455, section 5.2):
//
//   frame := 0x80 + opcode, masked(1 bit) length(7 | 16 | 64 bits), mask(4 bytes)?, payload
#include "bench/websocket.h"

#include <charconv>

#include "base/check.h"

namespace mayfly::bench {
namespace {

constexpr int text = 1, close = 8;
constexpr std::size_t length_of_16_bits = 126, length_of_64_bits = 127;

// A number of so many bytes, the most significant first.
void append_number(std::size_t number, std::size_t bytes, std::string& out) {
  while (bytes-- > 0) out.push_back(static_cast<char>(number >> (8 * bytes)));
}
std::size_t read_number(std::string_view bytes) {
  std::size_t number = 0;
  for (const char c : bytes) number = number << 8 | static_cast<unsigned char>(c);
  return number;
}

// The offset and the length of the frame's payload; nullopt: its head is not complete.
struct Extent {
  std::size_t begin = 0;
  std::size_t length = 0;
};
std::optional<Extent> extent_of(std::string_view in) {
  if (in.size() < 2) return std::nullopt;
  const std::size_t short_length = static_cast<unsigned char>(in[1]) & 0x7F;
  if (short_length < length_of_16_bits) return Extent{2, short_length};
  const std::size_t bytes = short_length == length_of_64_bits ? 8 : 2;
  if (in.size() < 2 + bytes) return std::nullopt;
  return Extent{2 + bytes, read_number(in.substr(2, bytes))};
}

}  // namespace

void open_websocket(Wire& wire) {
  wire.send(
      "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n");
  std::size_t end = std::string::npos;
  while ((end = wire.in.find("\r\n\r\n")) == std::string::npos) wire.receive();
  CHECK(wire.in.starts_with("HTTP/1.1 101"));
  wire.in.erase(0, end + 4);
}

std::string websocket_frame(std::string_view message) {
  std::string frame{static_cast<char>(0x80 | text)};
  if (message.size() < length_of_16_bits) {
    frame.push_back(static_cast<char>(0x80 | message.size()));
  } else {
    const bool is_long = message.size() > 0xFFFF;
    frame.push_back(static_cast<char>(0x80 | (is_long ? length_of_64_bits : length_of_16_bits)));
    append_number(message.size(), is_long ? 8 : 2, frame);
  }
  // A mask of zeros leaves the payload as it is, and costs the reader what any other does.
  frame.append(4, '\0');
  return frame.append(message);
}

std::optional<std::string> take_message(std::string& in) {
  while (const auto extent = extent_of(in)) {
    const std::size_t whole = extent->begin + extent->length;
    if (in.size() < whole) return std::nullopt;
    const int opcode = in[0] & 0x0F;
    CHECK(opcode != close);
    std::string message = in.substr(extent->begin, extent->length);
    in.erase(0, whole);
    if (opcode == text) return message;
  }
  return std::nullopt;
}

std::string ask(Wire& wire, std::string_view message) {
  wire.send(websocket_frame(message));
  for (;;) {
    if (auto answer = take_message(wire.in)) return *std::move(answer);
    wire.receive();
  }
}

int kuzzle_status(std::string_view answer) {
  constexpr std::string_view name = R"("status":)";
  const std::size_t at = answer.find(name);
  CHECK(at != std::string_view::npos);
  int status = 0;
  std::from_chars(answer.data() + at + name.size(), answer.data() + answer.size(), status);
  return status;
}

const Speech over_websocket{.begin = open_websocket, .take_status = [](std::string& in) {
                              const auto answer = take_message(in);
                              return answer ? kuzzle_status(*answer) : 0;
                            }};

}  // namespace mayfly::bench
