// The framing of WebSockets (RFC 6455, sections 5 and 7), without a socket and without extensions.
// It turns arriving bytes into messages, and messages into frames. Binary messages of a client are
// read as text, because some clients send text so.
//
//   frame := fin(1 bit) reserved(3) opcode(4) masked(1) length(7 | 16 | 64) mask(4 bytes)? payload
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mayfly::net {

enum class Opcode : std::uint8_t {
  continuation = 0,
  text = 1,
  binary = 2,
  close = 8,
  ping = 9,
  pong = 10
};

// Why a conversation ends.
enum class CloseCode : std::uint16_t {
  normal = 1000,
  going_away = 1001,
  broken_frames = 1002,
  none = 1005,  // a close without a code; never sent
  not_utf8 = 1007,
  too_large = 1009,
  internal = 1011,
  try_later = 1013
};

// Appends one complete frame of the server, which is not masked.
void render_frame(Opcode opcode, std::string_view payload, std::string& out);
// The same without the payload, which the caller sends behind it.
void render_frame_head(Opcode opcode, std::size_t payload_bytes, std::string& out);
void render_close(CloseCode code, std::string_view reason, std::string& out);

// The largest payload of a ping (RFC 6455, section 5.5).
inline constexpr std::size_t control_bytes_max = 125;

// A frame of the client that has arrived completely.
struct PeekedFrame {
  std::size_t bytes = 0;  // of the whole frame
  Opcode opcode = Opcode::continuation;
  bool is_final = false;
  std::string payload;  // empty if it has more than control_bytes_max
};
// The frame at the beginning of the bytes, without consuming it. Empty if it is not complete or not
// masked as a client's. FrameReader decides whether it is allowed.
std::optional<PeekedFrame> peek_frame(std::string_view bytes);

// Reads the client's frames. Threads: one at a time.
class FrameReader {
 public:
  enum class Event { none, message, ping, pong, close, broken };

  explicit FrameReader(std::size_t message_bytes_max) : message_bytes_max_(message_bytes_max) {}

  // Sets the bound on messages, also for one that has begun.
  void bound_messages(std::size_t bytes_max) { message_bytes_max_ = bytes_max; }
  // Consumes bytes from the front of `bytes` until an event; `none` consumed all of them. After
  // `close` or `broken`, read() must not be called.
  Event read(std::string_view& bytes);
  // Takes the text of the message or ping that has just arrived.
  std::string take();
  // Whether the message that has just arrived was a single frame.
  bool was_single() const { return is_single_; }
  // The code of the received close, or the one to answer a violation with.
  CloseCode close_code() const { return close_code_; }
  // Memory of an incomplete message.
  std::size_t held_bytes() const { return message_.size(); }

 private:
  Event begin_frame();
  Event end_frame();
  Event end_message();
  Event end_close();
  Event fail(CloseCode code);
  bool take_header(std::string_view& bytes);
  void take_payload(std::string_view& bytes);
  bool is_control() const { return opcode_ >= Opcode::close; }

  std::size_t message_bytes_max_;
  std::string header_;
  bool is_in_payload_ = false;
  Opcode opcode_ = Opcode::continuation;
  bool is_final_ = false;
  std::uint64_t left_ = 0;  // of the payload
  std::size_t mask_at_ = 0;
  std::string mask_;
  bool is_in_message_ = false;  // a part of one has arrived
  bool is_single_ = false;
  std::string message_;
  std::string control_;
  std::string taken_;
  CloseCode close_code_ = CloseCode::none;
};

}  // namespace mayfly::net
