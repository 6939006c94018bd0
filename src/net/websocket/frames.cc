// The framing of RFC 6455. Every violation ends the conversation.
#include "net/websocket/frames.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/free_text.h"
#include "net/utf8.h"

namespace mayfly::net {
namespace {

constexpr std::size_t mask_bytes = 4;
constexpr unsigned char final_bit = 0x80;
constexpr unsigned char reserved_bits = 0x70;
constexpr unsigned char mask_bit = 0x80;
constexpr unsigned char length_in_2 = 126;
constexpr unsigned char length_in_8 = 127;

unsigned char byte_at(std::string_view bytes, std::size_t position) {
  return static_cast<unsigned char>(bytes[position]);
}

// Unmasks bytes, eight at a time. `at`: the position of the first one in its frame.
void unmask(char* bytes, std::size_t size, std::string_view mask, std::size_t at) {
  char turned[sizeof(std::uint64_t)];
  for (std::size_t i = 0; i < sizeof turned; ++i) turned[i] = mask[(at + i) % mask_bytes];
  std::uint64_t of_mask = 0;
  std::memcpy(&of_mask, turned, sizeof turned);
  std::size_t i = 0;
  for (; i + sizeof of_mask <= size; i += sizeof of_mask) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes + i, sizeof word);
    word ^= of_mask;
    std::memcpy(bytes + i, &word, sizeof word);
  }
  for (; i < size; ++i) bytes[i] ^= turned[i % sizeof turned];
}

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char c : bytes) number = number << 8 | static_cast<unsigned char>(c);
  return number;
}

std::size_t length_bytes(unsigned char second) {
  const unsigned char length = second & ~mask_bit;
  return length == length_in_8 ? 8 : length == length_in_2 ? 2 : 0;
}

bool is_known(unsigned char opcode) {
  return opcode <= 2 || (opcode >= 8 && opcode <= 10);
}

// Whether a close frame may contain the code (RFC 6455, section 7.4).
bool may_be_sent(std::uint64_t code) {
  if (code >= 3000 && code < 5000) return true;
  return code >= 1000 && code <= 1014 && code != 1004 && code != 1005 && code != 1006;
}

}  // namespace

void render_frame_head(Opcode opcode, std::size_t size, std::string& out) {
  out.push_back(static_cast<char>(final_bit | static_cast<unsigned char>(opcode)));
  const std::size_t wide = size > 0xFFFF ? 8 : size > control_bytes_max ? 2 : 0;
  out.push_back(static_cast<char>(wide == 8 ? length_in_8 : wide == 2 ? length_in_2 : size));
  for (std::size_t i = wide; i-- > 0;) out.push_back(static_cast<char>(size >> (8 * i)));
}

void render_frame(Opcode opcode, std::string_view payload, std::string& out) {
  render_frame_head(opcode, payload.size(), out);
  out.append(payload);
}

void render_close(CloseCode code, std::string_view reason, std::string& out) {
  std::string payload;
  if (code != CloseCode::none) {
    const auto number = static_cast<std::uint16_t>(code);
    payload.push_back(static_cast<char>(number >> 8));
    payload.push_back(static_cast<char>(number));
    payload.append(reason.substr(0, control_bytes_max - payload.size()));
  }
  render_frame(Opcode::close, payload, out);
}

std::optional<PeekedFrame> peek_frame(std::string_view bytes) {
  if (bytes.size() < 2) return std::nullopt;
  const unsigned char first = byte_at(bytes, 0);
  const unsigned char second = byte_at(bytes, 1);
  const std::size_t wide = length_bytes(second);
  const std::size_t head = 2 + wide + mask_bytes;
  if ((first & reserved_bits) != 0 || (second & mask_bit) == 0 || bytes.size() < head) {
    return std::nullopt;
  }
  const std::uint64_t length = wide == 0 ? second & ~mask_bit : big_endian(bytes.substr(2, wide));
  if (length > bytes.size() - head) return std::nullopt;
  PeekedFrame frame{.bytes = head + static_cast<std::size_t>(length),
                    .opcode = static_cast<Opcode>(first & 0x0F),
                    .is_final = (first & final_bit) != 0,
                    .payload = {}};
  if (length > control_bytes_max) return frame;
  frame.payload = bytes.substr(head, static_cast<std::size_t>(length));
  const std::string_view mask = bytes.substr(head - mask_bytes, mask_bytes);
  unmask(frame.payload.data(), frame.payload.size(), mask, 0);
  return frame;
}

FrameReader::Event FrameReader::fail(CloseCode code) {
  close_code_ = code;
  free_text(message_);
  return Event::broken;
}

std::string FrameReader::take() {
  return std::exchange(taken_, {});
}

FrameReader::Event FrameReader::read(std::string_view& bytes) {
  while (!bytes.empty()) {
    if (!is_in_payload_) {
      if (!take_header(bytes)) return Event::none;
      if (const Event event = begin_frame(); event != Event::none) return event;
    }
    take_payload(bytes);
    if (left_ > 0) return Event::none;
    is_in_payload_ = false;
    if (const Event event = end_frame(); event != Event::none) return event;
  }
  return Event::none;
}

// Reads the header. Returns whether it is complete.
bool FrameReader::take_header(std::string_view& bytes) {
  const auto take = [&](std::size_t needed) {
    const std::size_t more = std::min(needed - std::min(needed, header_.size()), bytes.size());
    header_.append(bytes.substr(0, more));
    bytes.remove_prefix(more);
    return header_.size() >= needed;
  };
  if (!take(2)) return false;
  const unsigned char second = byte_at(header_, 1);
  return take(2 + length_bytes(second) + ((second & mask_bit) != 0 ? mask_bytes : 0));
}

FrameReader::Event FrameReader::begin_frame() {
  const std::string header = std::exchange(header_, {});
  const unsigned char first = byte_at(header, 0);
  const unsigned char second = byte_at(header, 1);
  const std::size_t wide = length_bytes(second);
  left_ = wide == 0 ? second & ~mask_bit : big_endian(std::string_view(header).substr(2, wide));
  if ((first & reserved_bits) != 0 || !is_known(first & 0x0F) || (second & mask_bit) == 0) {
    return fail(CloseCode::broken_frames);
  }
  opcode_ = static_cast<Opcode>(first & 0x0F);
  is_final_ = (first & final_bit) != 0;
  mask_ = header.substr(2 + wide);
  mask_at_ = 0;
  is_in_payload_ = true;
  if (is_control()) {
    control_.clear();
    if (!is_final_ || left_ > control_bytes_max) return fail(CloseCode::broken_frames);
    return Event::none;
  }
  if (is_in_message_ != (opcode_ == Opcode::continuation)) return fail(CloseCode::broken_frames);
  is_single_ = is_final_ && !is_in_message_;
  is_in_message_ = true;
  if (left_ > message_bytes_max_ - std::min(message_bytes_max_, message_.size())) {
    return fail(CloseCode::too_large);
  }
  return Event::none;
}

void FrameReader::take_payload(std::string_view& bytes) {
  std::string& into = is_control() ? control_ : message_;
  const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size()));
  const std::size_t at = into.size();
  into.append(bytes.substr(0, n));
  unmask(into.data() + at, n, mask_, mask_at_);
  mask_at_ += n;
  bytes.remove_prefix(n);
  left_ -= n;
}

FrameReader::Event FrameReader::end_frame() {
  switch (opcode_) {
    case Opcode::ping: taken_ = std::exchange(control_, {}); return Event::ping;
    case Opcode::pong: return Event::pong;
    case Opcode::close: return end_close();
    default: return is_final_ ? end_message() : Event::none;
  }
}

FrameReader::Event FrameReader::end_message() {
  is_in_message_ = false;
  if (!is_utf8(message_)) return fail(CloseCode::not_utf8);
  taken_ = std::exchange(message_, {});
  return Event::message;
}

FrameReader::Event FrameReader::end_close() {
  if (control_.empty()) return Event::close;
  const std::uint64_t code = big_endian(std::string_view(control_).substr(0, 2));
  if (control_.size() == 1 || !may_be_sent(code)) return fail(CloseCode::broken_frames);
  if (!is_utf8(std::string_view(control_).substr(2))) return fail(CloseCode::not_utf8);
  close_code_ = static_cast<CloseCode>(code);
  return Event::close;
}

}  // namespace mayfly::net
