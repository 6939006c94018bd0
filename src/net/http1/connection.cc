// The stages of a connection and what moves it from one to the next.
#include "net/http1/connection.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <optional>
#include <string_view>
#include <utility>

namespace mayfly::net {
namespace {

namespace asio = boost::asio;

// Of one connection that sends many at once; then others have a turn.
constexpr int requests_per_turn_max = 16;
// How a client of HTTP/2 begins (RFC 9113, section 3.4). No request of HTTP/1.1 does.
constexpr std::string_view http2_preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

}  // namespace

Http1Connection::Http1Connection(ConnectionOwner& owner, const TlsContext* offers,
                                 std::unique_ptr<Exchange> exchange)
    : Connection(owner.context()),
      Responder(owner, *exchange),
      offers_(offers),
      exchange_(std::move(exchange)) {}

Http1Connection::~Http1Connection() {
  count_parsed(0);
  leave_costly();
}

// What has been passed on has begun, and nothing of it is left to be decided.
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

void Http1Connection::has_read(Moved moved) {
  guarded([&] { on_read(moved); });
}

void Http1Connection::on_read(Moved moved) {
  is_reading_ = false;
  if (moved.state != Moved::State::moved) return close();
  Lingering* const lingering = in<Lingering>();
  if (sending() == nullptr && lingering == nullptr) {
    return has_begun_ ? advance(moved.bytes) : begin(moved.bytes);
  }
  // The request was refused while this was on its way.
  exchange_->discard();
  if (lingering == nullptr) return;
  lingering->bytes += moved.bytes;
  linger();
}

// --- which protocol ---

// Shown by the first bytes. Work is not the door's, so it passes on what is not plain HTTP/1.1.
void Http1Connection::begin(std::size_t bytes) {
  exchange_->keep(bytes);
  const std::string_view begun = exchange_->arrived();
  if (offers_ != nullptr && begun.front() == tls_first_byte) return begin_tls(begun);
  const bool may_be_http2 =
      begun.substr(0, http2_preface.size()) == http2_preface.substr(0, begun.size());
  if (may_be_http2 && begun.size() >= http2_preface.size()) return pass_on(Protocol::http2);
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
  owner_.passes_on() ? pass_on(Protocol::http1) : start();
}

void Http1Connection::shake_hands() {
  const Moved moved = transport_.shake_hands();
  if (moved.state == Moved::State::ended) return close();
  if (moved.state != Moved::State::moved) return transport_.wait_to_shake(self(), moved.state);
  owner_.count_handshake();
  transport_.has_chosen_http2() ? pass_on(Protocol::http2) : rest();
}

void Http1Connection::hands_may_go_on() {
  guarded([this] { shake_hands(); });
}

// What has arrived and the socket become another connection; here it is over.
void Http1Connection::pass_on(Protocol protocol) {
  Descriptor socket(transport_.release_socket());
  enter_without_deadline(Closed{});
  account();
  owner_.pass_on(*this, {.socket = std::move(socket),
                         .exchange = std::move(exchange_),
                         .tls = transport_.release_tls(),
                         .protocol = protocol});
}

// --- requests ---

// Answers what has arrived, until something must be waited for.
void Http1Connection::advance(std::size_t bytes) {
  for (int i = 0; i < requests_per_turn_max; ++i) {
    const Exchange::Step step = exchange_->receive(std::exchange(bytes, 0));
    if (step == Exchange::Step::wait) {
      if (note_progress()) read();
      return;
    }
    if (step == Exchange::Step::head) {
      if (!take_head()) return;
      continue;
    }
    enter_without_deadline(Answering{});
    owner_.count_request();
    if (step == Exchange::Step::request ? !answer_or_pass_on() : !refuse(exchange_->refusal())) {
      return;
    }
  }
  asio::post(owner_.context(),
             [self = shared_from_this(), this] { guarded([this] { advance(0); }); });
}

// The head of a request whose body is still to come. False where the connection does not read on.
bool Http1Connection::take_head() {
  if (owner_.passes_on()) {
    pass_on(Protocol::http1);
    return false;
  }
  auto refusal = refuse_head();
  return refusal ? tell(*std::move(refusal)) : true;
}

// The door answers what is urgent, and says no.
bool Http1Connection::answer_or_pass_on() {
  if (!owner_.passes_on() || is_full()) return answer();
  if (exchange_->is_urgent()) {
    exchange_->answer_by(owner_.deadline_after(owner_.common().options.request_time_max));
    return tell(exchange_->answer());
  }
  pass_on(Protocol::http1);
  return false;
}

// A deadline stands from the first byte of what it is for. Whether the connection reads on.
bool Http1Connection::note_progress() {
  if (exchange_->is_in_body())
    return note_body() && (!exchange_->owes_continue() || send_continue());
  if (exchange_->has_begun() && !is<Head>()) {
    enter(Head{}, owner_.common().options.head_time_max);
  }
  return true;
}

// Where nothing could be sent the client goes on by itself after a while; half a line would be a
// lie, and TLS would have to send the line before anything else.
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

void Http1Connection::make_ready(Outlet::Piece piece) {
  exchange_->go_on(std::move(piece.bytes), std::move(piece.shared), piece.is_end);
}

// A piece of a response that goes on is counted by the outlet it comes from.
std::size_t Http1Connection::held_bytes() const {
  const std::size_t held = is<SendingPiece>() ? 0 : exchange_->held_bytes();
  return websocket_ == nullptr ? held : held + websocket_->held_bytes();
}

bool Http1Connection::send() {
  begin_to_send();
  const std::size_t unsent_before = exchange_->unsent_bytes();
  while (exchange_->unsent_bytes() > 0) {
    const Moved moved = transport_.write_some(exchange_->unsent());
    if (moved.state == Moved::State::ended) {
      close();
      return false;
    }
    exchange_->sent(moved.bytes);
    if (moved.state == Moved::State::moved) continue;
    if (exchange_->unsent_bytes() < unsent_before) note_taken();
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
