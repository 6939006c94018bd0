// The handshake of RFC 6455, section 4, and the messages of a conversation.
#include "net/websocket/websocket.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "base/crypto/crypto.h"
#include "base/free_text.h"
#include "net/http1/response_head.h"
#include "net/requests/limits.h"
#include "net/streams/shared_text.h"
#include "net/websocket/limits.h"

namespace mayfly::net {
namespace {

constexpr std::string_view handshake_salt = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
constexpr std::size_t key_bytes = 16;

bool is_same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return (x | 0x20) == (y | 0x20); });
}

// Whether a header with a list of words contains the word.
bool has_word(const Request& request, std::string_view header, std::string_view word) {
  for (const auto& [name, value] : request.headers) {
    if (name != header) continue;
    std::string_view rest = value;
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      std::string_view one = rest.substr(0, comma);
      rest.remove_prefix(std::min(comma + 1, rest.size()));
      while (!one.empty() && one.front() == ' ') one.remove_prefix(1);
      while (!one.empty() && one.back() == ' ') one.remove_suffix(1);
      if (is_same_word(one, word)) return true;
    }
  }
  return false;
}

// The client's preferred subprotocol; empty if it names none.
std::string_view first_subprotocol(const Request& request) {
  const std::string* named = request.header("sec-websocket-protocol");
  if (named == nullptr) return {};
  std::string_view first = std::string_view(*named).substr(0, named->find(','));
  while (!first.empty() && first.front() == ' ') first.remove_prefix(1);
  while (!first.empty() && first.back() == ' ') first.remove_suffix(1);
  return is_token(first) ? first : std::string_view();
}

Refusal refusal(int status, Code code, const char* message) {
  return {status, {code, message}, false};
}

class WebSocketQueueSender final : public SharedTextSender {
 public:
  explicit WebSocketQueueSender(std::shared_ptr<SendQueue> send_queue)
      : send_queue_(std::move(send_queue)) {}

  bool answer(std::string_view text) override { return send_queue_->send_answer(frame_of(text)); }
  bool send(std::string_view text) override { return send_queue_->send(frame_of(text)); }
  bool send_event_shared(const SharedText& begin, std::string_view end) override {
    if (begin->text().size() < limits::shared_text_bytes_min) {
      std::string text;
      text.reserve(begin->text().size() + end.size());
      return send(text.append(begin->text()).append(end));
    }
    std::string head;
    render_frame_head(Opcode::text, begin->text().size() + end.size(), head);
    return send_queue_->send_shared(std::move(head), begin, std::string(end));
  }
  void give_up() override { send_queue_->give_up(); }
  bool is_open() const override { return send_queue_->is_open(); }

 private:
  static std::string frame_of(std::string_view text) {
    std::string frame;
    frame.reserve(text.size() + 10);
    render_frame(Opcode::text, text, frame);
    return frame;
  }
  const std::shared_ptr<SendQueue> send_queue_;
};

}  // namespace

bool is_websocket_handshake(const Request& request) {
  return has_word(request, "upgrade", "websocket");
}

std::optional<Refusal> refuse_handshake(const Request& request) {
  const std::string* version = request.header("sec-websocket-version");
  if (version == nullptr || *version != "13") {
    return refusal(426, Code::invalid, "only version 13 of the WebSocket protocol is spoken");
  }
  const std::string* key = request.header("sec-websocket-key");
  const auto decoded = key == nullptr ? Result<Bytes>(Bytes()) : decode_base64(*key);
  const bool is_whole = decoded && decoded->size() == key_bytes && request.method == "GET" &&
                        is_websocket_handshake(request) &&
                        has_word(request, "connection", "upgrade");
  if (!is_whole) {
    return refusal(400, Code::invalid, "the handshake of the WebSocket is not complete");
  }
  return std::nullopt;
}

void render_handshake(const Request& request, std::string& out) {
  const std::string* key = request.header("sec-websocket-key");
  out += "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n";
  out += "Sec-WebSocket-Accept: ";
  out += encode_base64(sha1(*key + std::string(handshake_salt)));
  // A browser that names subprotocols closes the connection unless one of them is chosen.
  if (const std::string_view chosen = first_subprotocol(request); !chosen.empty()) {
    out += "\r\nSec-WebSocket-Protocol: ";
    out += chosen;
  }
  out += "\r\n\r\n";
}

WebSocket::WebSocket(std::shared_ptr<SendQueue> send_queue, const ConversationFactory& take,
                     std::size_t message_bytes_max, Span ping_every, Instant now)
    : send_queue_(std::move(send_queue)),
      frames_(message_bytes_max),
      message_bytes_max_(message_bytes_max),
      ping_every_(ping_every),
      ping_at_(now + ping_every),
      conversation_(take(std::make_shared<WebSocketQueueSender>(send_queue_))),
      bounds_(dynamic_cast<const BoundedConversation*>(conversation_.get())) {}

WebSocket::Step WebSocket::read(std::string_view& arrived) {
  const std::size_t bytes = arrived.size();
  const Step step = read_frames(arrived);
  looked_bytes_ -= std::min(looked_bytes_, bytes - arrived.size());
  return step;
}

WebSocket::Step WebSocket::read_frames(std::string_view& arrived) {
  if (has_ended_) return Step::ended;
  if (!arrived.empty()) owes_pong_ = false;
  kept_bytes_ = kept_bytes();
  if (bounds_ != nullptr && !arrived.empty()) {
    frames_.bound_messages(std::min(message_bytes_max_, bounds_->message_bytes_max()));
  }
  for (;;) {
    switch (frames_.read(arrived)) {
      case FrameReader::Event::none: return Step::wait;
      case FrameReader::Event::pong: continue;
      case FrameReader::Event::ping: {
        const std::string payload = frames_.take();
        if (!was_answered_ahead()) answer_ping(payload);
        continue;
      }
      case FrameReader::Event::message: {
        std::string message = frames_.take();
        if (frames_.was_single() && is_own_ping(message)) continue;
        take_message(std::move(message));
        return Step::message;
      }
      case FrameReader::Event::close:
      case FrameReader::Event::broken: end(frames_.close_code(), {}); return Step::ended;
    }
  }
}

// The bytes begin with a frame: the last frame that was read has completed a message.
void WebSocket::answer_pings_ahead(std::string_view arrived) {
  while (!has_ended_ && send_queue_->unsent_bytes() <= limits::unsent_answers_max) {
    const auto frame = peek_frame(arrived.substr(looked_bytes_));
    if (!frame || frame->opcode == Opcode::close) return;
    looked_bytes_ += frame->bytes;
    if (frame->opcode == Opcode::ping) {
      answer_ping(frame->payload);
      ++pings_answered_;
    } else if ((frame->opcode == Opcode::text || frame->opcode == Opcode::binary) &&
               frame->is_final) {
      const auto answer = conversation_->answer_ping(frame->payload);
      if (!answer) continue;
      send_own_pong(*answer);
      ++pings_answered_;
    }
  }
}

// Whether the message is a ping of the dialect; then it is answered here, or was answered by
// answer_pings_ahead().
bool WebSocket::is_own_ping(std::string_view message) {
  if (message.size() > control_bytes_max) return false;
  const auto answer = conversation_->answer_ping(message);
  if (!answer) return false;
  if (!was_answered_ahead()) send_own_pong(*answer);
  return true;
}

void WebSocket::answer_ping(std::string_view payload) {
  std::string frame;
  render_frame(Opcode::pong, payload, frame);
  send_queue_->send_first(std::move(frame));
}

// Sends the conversation's answer to a ping of the dialect.
void WebSocket::send_own_pong(std::string_view answer) {
  std::string frame;
  render_frame(Opcode::text, answer, frame);
  send_queue_->send_first(std::move(frame));
}

void WebSocket::take_message(std::string message) {
  kept_bytes_ = message.size();
  is_quick_ = is_costly_ = false;
  if (message.size() > limits::quick_body_bytes_max) {
    large_ = std::move(message);
  } else {
    receive(std::move(message));
    kept_bytes_ = std::max(kept_bytes_, kept_bytes());
  }
}

void WebSocket::receive(std::string message) {
  is_quick_ = conversation_->receive(std::move(message));
  is_costly_ = bounds_ != nullptr && bounds_->is_costly();
}

bool WebSocket::parse() {
  try {
    receive(std::exchange(large_, {}));
    return true;
  } catch (const std::exception&) {
    refuse({Code::internal, "the request failed inside the server"});
    return false;
  }
}

void WebSocket::answer(Instant answer_by) {
  try {
    conversation_->answer(answer_by);
  } catch (const std::exception&) {
    refuse({Code::internal, "the request failed inside the server"});
  }
}

void WebSocket::refuse(const Error& error) {
  free_text(large_);
  conversation_->refuse(error);
}

void WebSocket::end(CloseCode code, std::string_view reason) {
  if (std::exchange(has_ended_, true)) return;
  std::string frame;
  render_close(code, reason, frame);
  send_queue_->send_answer(std::move(frame));
  send_queue_->end();
}

bool WebSocket::keep_alive(Instant now) {
  if (has_ended_ || now < ping_at_) return true;
  ping_at_ = now + ping_every_;
  if (send_queue_->unsent_bytes() > limits::unsent_answers_max) {
    owes_pong_ = false;
    return true;
  }
  if (owes_pong_) return false;
  std::string frame;
  render_frame(Opcode::ping, {}, frame);
  owes_pong_ = send_queue_->send_first(std::move(frame));
  return true;
}

}  // namespace mayfly::net
