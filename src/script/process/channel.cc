#include "script/process/channel.h"

#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "base/free_text.h"
#include "base/threads/run_permit.h"
#include "script/limits.h"

namespace mayfly::script {
namespace {

constexpr std::size_t size_bytes = 4;
// Larger buffers are freed after a message, because the process may be idle for long.
constexpr std::size_t kept_buffer_bytes = 64 << 10;

bool would_block() {
  return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

void empty(Bytes& bytes) {
  if (bytes.capacity() > kept_buffer_bytes) return free_text(bytes);
  bytes.clear();
}

}  // namespace

Result<void> check_goes_on(Instant stop_at) {
  if (monotonic_now() >= stop_at) {
    return fail(Code::timed_out, "The script took longer than it may (script_time_max).");
  }
  const RunPermit* const permit = current_run_permit();
  if (permit == nullptr || !permit->is_cancelled()) return {};
  return fail(Code::timed_out, "The client no longer waits for the response.");
}

Channel::~Channel() {
  if (socket_ >= 0) close(socket_);
}

Channel::Channel(Channel&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)),
      is_closed_(other.is_closed_),
      out_(std::move(other.out_)),
      in_(std::move(other.in_)) {}

tl::unexpected<Error> Channel::other_end_closed() {
  is_closed_ = true;
  return fail(Code::internal, "The process of the script has ended.");
}

void Channel::use_short_timeouts() {
  const timeval step{.tv_sec = 0, .tv_usec = look_every.micros};
  setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &step, sizeof step);
  setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &step, sizeof step);
}

bool Channel::is_open() const {
  if (!in_.empty()) return false;
  char ignored = 0;
  return recv(socket_, &ignored, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && would_block();
}

Result<void> Channel::add(MessageKind kind, BytesView content) {
  if (content.size() >= limits::script_message_bytes_max) {
    return fail(Code::too_large,
                "What crosses between a script and the server is larger than "
                "script_message_bytes_max (" +
                    std::to_string(limits::script_message_bytes_max) + " bytes).");
  }
  put_u32(out_, static_cast<std::uint32_t>(content.size() + 1));
  out_ += static_cast<char>(kind);
  out_ += content;
  return {};
}

Result<void> Channel::send(Instant stop_at) {
  BytesView left = out_;
  while (!left.empty()) {
    const ssize_t sent = ::send(socket_, left.data(), left.size(), MSG_NOSIGNAL);
    if (sent < 0 && !would_block()) return other_end_closed();
    if (sent > 0) left.remove_prefix(static_cast<std::size_t>(sent));
    if (!left.empty()) TRY(check_goes_on(stop_at));
  }
  empty(out_);
  return {};
}

Result<std::optional<Message>> Channel::take_message() {
  Reader reader(in_);
  const std::size_t size = reader.u32();
  if (!reader.ok()) return std::nullopt;
  if (size == 0 || size > limits::script_message_bytes_max) {
    return fail(Code::internal, "The process of a script sends no message.");
  }
  const BytesView whole = reader.take(size);
  if (!reader.ok()) return std::nullopt;
  Message message{static_cast<MessageKind>(whole.front()), Bytes(whole.substr(1))};
  if (reader.done()) {
    empty(in_);
  } else {
    in_.erase(0, in_.size() - reader.rest().size());
  }
  return message;
}

Result<Message> Channel::receive(Instant stop_at) {
  std::array<char, 16 << 10> piece;
  for (;;) {
    if (auto message = TRY(take_message())) return *std::move(message);
    const ssize_t came = recv(socket_, piece.data(), piece.size(), 0);
    if (came == 0 || (came < 0 && !would_block())) return other_end_closed();
    if (came > 0) in_.append(piece.data(), static_cast<std::size_t>(came));
    TRY(check_goes_on(stop_at));
  }
}

}  // namespace mayfly::script
