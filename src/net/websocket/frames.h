// The framing of WebSockets (RFC 6455, sections 5 and 7), without a socket: arriving bytes become
// messages, what is said becomes frames. Without extensions. A binary message of a client is taken
// as text, because some clients send text so.
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
  none = 1005,  // what stands for a close without a code; never sent
  not_utf8 = 1007,
  too_large = 1009,
  internal = 1011,
  try_later = 1013
};

// Appends one whole frame of a server's, which is not masked.
void render_frame(Opcode opcode, std::string_view payload, std::string& out);
// The same without the payload, which the caller sends behind it.
void render_frame_head(Opcode opcode, std::size_t payload_bytes, std::string& out);
void render_close(CloseCode code, std::string_view reason, std::string& out);

// What a ping may have (RFC 6455, section 5.5).
inline constexpr std::size_t control_bytes_max = 125;

// A client's frame that has come whole.
struct FrameAhead {
  std::size_t bytes = 0;  // all of it
  Opcode opcode = Opcode::continuation;
  bool is_final = false;
  std::string payload;  // empty where it has more than control_bytes_max
};
// The frame that the bytes begin with, which stays where it is; nothing where it has not come whole
// or is not a client's. Whether it is allowed is FrameReader's to say.
std::optional<FrameAhead> look_at_frame(std::string_view bytes);

// The client's frames. Threads: one at a time.
class FrameReader {
 public:
  enum class Event { none, message, ping, pong, close, broken };

  explicit FrameReader(std::size_t message_bytes_max) : message_bytes_max_(message_bytes_max) {}

  // The bound on messages from here on; one that has begun keeps to it as well.
  void bound_messages(std::size_t bytes_max) { message_bytes_max_ = bytes_max; }
  // Takes bytes off the front of `bytes` until something has come; `none` took them all. After
  // `close` or `broken` there is nothing more to read.
  Event read(std::string_view& bytes);
  // Of the message or the ping that has just come.
  std::string take();
  // Whether the message that has just come was a single frame.
  bool was_single() const { return is_single_; }
  // Of the close that has come, or with which what is broken is to be answered.
  CloseCode close_code() const { return close_code_; }
  // Memory that a message takes which has not come whole.
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
  bool is_in_message_ = false;  // a part of one has come
  bool is_single_ = false;
  std::string message_;
  std::string control_;
  std::string taken_;
  CloseCode close_code_ = CloseCode::none;
};

}  // namespace mayfly::net
