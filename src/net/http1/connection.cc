// The stages of a connection and the transitions between them.
#include "net/http1/connection.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <optional>
#include <string_view>
#include <utility>

namespace mayfly::net {
namespace {

namespace asio = boost::asio;

// Requests of one connection that are answered before other connections are served.
constexpr int requests_per_turn_max = 16;
// The first bytes of an HTTP/2 client (RFC 9113, section 3.4). No request of HTTP/1.1 begins so.
constexpr std::string_view http2_preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

}  // namespace

Http1Connection::Http1Connection(ConnectionOwner& owner, const TlsContext* offers,
                                 std::unique_ptr<Http1Exchange> exchange)
    : Connection(owner.context()),
      Responder(owner, *exchange),
      offers_(offers),
      exchange_(std::move(exchange)) {}

Http1Connection::~Http1Connection() {
  count_parsed(0);
  release_costly_slot();
}

// A connection from another loop may have begun a request; its protocol is decided then.
void Http1Connection::start() {
  has_begun_ = exchange_->has_begun();
  guarded([this] {
    if (transport_.is_secure()) {
      enter(Handshake{}, owner_.common().options.head_time_max);
      return shake_hands();
    }
    if (!has_begun_) return rest();
    if (!exchange_->is_in_body()) enter_without_deadline(Answering{});
    if (exchange_->is_in_body() ? take_head() : answer()) advance(0);
  });
}

void Http1Connection::rest() {
  enter(Idle{}, owner_.common().options.idle_time_max);
  read();
}

void Http1Connection::read() {
  is_reading_ = true;
  transport_.read(self(), exchange_->room());
}

void Http1Connection::has_read(IoResult moved) {
  guarded([&] { on_read(moved); });
}

void Http1Connection::on_read(IoResult moved) {
  is_reading_ = false;
  if (moved.state != IoResult::State::moved) return close();
  Lingering* const lingering = in<Lingering>();
  if (sending() == nullptr && lingering == nullptr) {
    return has_begun_ ? advance(moved.bytes) : begin(moved.bytes);
  }
  // The request was refused while these bytes were on their way.
  exchange_->discard();
  if (lingering == nullptr) return;
  lingering->bytes += moved.bytes;
  linger();
}

// --- which protocol ---

// The first bytes show the protocol. The acceptor should do no work, so it moves connections of
// other protocols than plain HTTP/1.1 to other loops.
void Http1Connection::begin(std::size_t bytes) {
  exchange_->keep(bytes);
  const std::string_view begun = exchange_->arrived();
  if (offers_ != nullptr && begun.front() == tls_first_byte) return begin_tls(begun);
  const bool may_be_http2 =
      begun.substr(0, http2_preface.size()) == http2_preface.substr(0, begun.size());
  if (may_be_http2 && begun.size() >= http2_preface.size()) return hand_over(Protocol::http2);
  if (may_be_http2) {
    if (is<Idle>()) enter(Head{}, owner_.common().options.head_time_max);
    return read();
  }
  has_begun_ = true;
  advance(0);
}

void Http1Connection::begin_tls(std::string_view begun) {
  transport_.secure(*std::exchange(offers_, nullptr), begun);
  exchange_->discard();
  exchange_->set_secure();
  owner_.hands_over() ? hand_over(Protocol::http1) : start();
}

void Http1Connection::shake_hands() {
  const IoResult moved = transport_.shake_hands();
  if (moved.state == IoResult::State::ended) return close();
  if (moved.state != IoResult::State::moved) return transport_.wait_to_shake(self(), moved.state);
  owner_.count_handshake();
  transport_.has_chosen_http2() ? hand_over(Protocol::http2) : rest();
}

void Http1Connection::may_continue_handshake() {
  guarded([this] { shake_hands(); });
}

// Moves the socket and the arrived bytes to another connection; this one is closed.
void Http1Connection::hand_over(Protocol protocol) {
  Descriptor socket(transport_.release_socket());
  enter_without_deadline(Closed{});
  account();
  owner_.hand_over(*this, {.socket = std::move(socket),
                           .exchange = std::move(exchange_),
                           .tls = transport_.release_tls(),
                           .protocol = protocol});
}

// --- requests ---

// Answers the requests that have arrived, until something must be waited for.
void Http1Connection::advance(std::size_t bytes) {
  for (int i = 0; i < requests_per_turn_max; ++i) {
    const Http1Exchange::Step step = exchange_->receive(std::exchange(bytes, 0));
    if (step == Http1Exchange::Step::wait) {
      if (update_deadline()) read();
      return;
    }
    if (step == Http1Exchange::Step::head) {
      if (!take_head()) return;
      continue;
    }
    enter_without_deadline(Answering{});
    owner_.count_request();
    if (step == Http1Exchange::Step::request ? !answer_or_hand_over()
                                             : !refuse(exchange_->refusal())) {
      return;
    }
  }
  asio::post(owner_.context(),
             [self = shared_from_this(), this] { guarded([this] { advance(0); }); });
}

// Handles the head of a request whose body has not arrived. False if the connection must not read
// on.
bool Http1Connection::take_head() {
  if (owner_.hands_over()) {
    hand_over(Protocol::http1);
    return false;
  }
  auto refusal = refuse_head();
  return refusal ? send_answer(*std::move(refusal)) : true;
}

// The acceptor answers only urgent requests, and refuses overload.
bool Http1Connection::answer_or_hand_over() {
  if (!owner_.hands_over() || is_full()) return answer();
  if (exchange_->is_urgent()) {
    exchange_->answer_by(owner_.deadline_after(owner_.common().options.request_time_max));
    return send_answer(exchange_->answer());
  }
  hand_over(Protocol::http1);
  return false;
}

// Sets deadlines; each begins with the first byte of its stage. Returns whether the connection
// reads on.
bool Http1Connection::update_deadline() {
  if (exchange_->is_in_body()) return on_body() && (!exchange_->owes_continue() || send_continue());
  if (exchange_->has_begun() && !is<Head>()) {
    enter(Head{}, owner_.common().options.head_time_max);
  }
  return true;
}

// If nothing could be sent, the client continues by itself after a while. After half a line the
// connection must close; with TLS also after none, because TLS would have to send the line first.
bool Http1Connection::send_continue() {
  const std::string_view line = "HTTP/1.1 100 Continue\r\n\r\n";
  const std::size_t sent = transport_.write_some(line).bytes;
  if (sent == line.size() || (sent == 0 && !transport_.is_secure())) return true;
  close();
  return false;
}

// --- sending ---

void Http1Connection::make_ready(Response& response) {
  exchange_->respond(response, owner_.is_draining());
}

void Http1Connection::make_ready(SendQueue::Piece piece) {
  exchange_->add_piece(std::move(piece.bytes), std::move(piece.shared), piece.is_end);
}

// Pieces of a streamed response are counted by their send queue.
std::size_t Http1Connection::held_bytes() const {
  const std::size_t held = is<SendingPiece>() ? 0 : exchange_->held_bytes();
  return websocket_ == nullptr ? held : held + websocket_->held_bytes();
}

bool Http1Connection::send() {
  begin_to_send();
  const std::size_t unsent_before = exchange_->unsent_bytes();
  while (exchange_->unsent_bytes() > 0) {
    const IoResult moved = transport_.write_some(exchange_->unsent());
    if (moved.state == IoResult::State::ended) {
      close();
      return false;
    }
    exchange_->sent(moved.bytes);
    if (moved.state == IoResult::State::moved) continue;
    if (exchange_->unsent_bytes() < unsent_before) on_client_progress();
    transport_.wait_to_write(self(), moved.state);
    return false;
  }
  return finish();
}

void Http1Connection::may_write() {
  guarded([this] {
    if (send()) advance(0);
  });
}

}  // namespace mayfly::net
