// The stages of a connection and what moves it from one to the next.

#include "net/connection.h"

#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <exception>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "base/no_wait.h"

namespace mayfly::net {
namespace {

namespace asio = boost::asio;

// Of one connection that sends many at once; then others have a turn.
constexpr int requests_per_turn_max = 16;
// A client that reads more slowly than this (16 kB/s) keeps memory of ours for too long.
constexpr std::int64_t sent_bytes_per_milli_min = 16;
constexpr const char* too_many_waiting = "too many long requests are waiting; try again";

}  // namespace

Connection::Connection(ConnectionOwner& owner, const TlsContext* offers,
                       std::unique_ptr<Exchange> exchange)
    : owner_(owner), transport_(owner.context()), offers_(offers), exchange_(std::move(exchange)) {}

Connection::~Connection() {
  count_parsed(0);
  leave_costly();
  if (outlet_ != nullptr) outlet_->close();
}

ConnectionPtr Connection::open(ConnectionOwner& owner, Accepted accepted) {
  auto connection =
      std::make_shared<Connection>(owner, accepted.offers, std::move(accepted.exchange));
  Transport& transport = connection->transport_;
  if (!transport.take_over(accepted.socket.number(), std::move(accepted.tls))) return nullptr;
  accepted.socket.release();
  return connection;
}

void Connection::enter(Stage stage, Span time_max) {
  stage_ = stage;
  deadline_ = owner_.deadline_after(time_max);
}

void Connection::start() {
  guarded([this] { rest(); });
}

void Connection::start_with_request() {
  guarded([this] {
    stage_ = Stage::answering;
    if (answer()) advance(0);
  });
}

void Connection::start_with_head() {
  guarded([this] {
    if (take_head()) advance(0);
  });
}

void Connection::start_with_handshake() {
  guarded([this] {
    enter(Stage::handshake, owner_.common().options.head_time_max);
    shake_hands();
  });
}

void Connection::rest() {
  enter(Stage::idle, owner_.common().options.idle_time_max);
  read();
}

void Connection::read() {
  is_reading_ = true;
  transport_.read(shared_from_this(), exchange_->room());
}

void Connection::has_read(Moved moved) {
  guarded([&] { on_read(moved); });
}

void Connection::on_read(Moved moved) {
  is_reading_ = false;
  if (moved.state != Moved::State::moved) return close();
  if (offers_ != nullptr && begins_tls(moved.bytes)) return;
  if (stage_ != Stage::sending && stage_ != Stage::lingering) return advance(moved.bytes);
  // The request was refused while this was on its way.
  exchange_->discard();
  lingered_bytes_ += moved.bytes;
  if (stage_ == Stage::lingering) linger();
}

// --- TLS ---

// Told by the first byte. Handshakes are work, so the door passes them on.
bool Connection::begins_tls(std::size_t bytes) {
  const TlsContext& context = *std::exchange(offers_, nullptr);
  const std::string_view begun(exchange_->room().data(), bytes);
  if (begun.front() != tls_first_byte) return false;
  transport_.secure(context, begun);
  exchange_->set_secure();
  if (owner_.passes_on()) {
    pass_on();
  } else {
    start_with_handshake();
  }
  return true;
}

void Connection::shake_hands() {
  const Moved moved = transport_.shake_hands();
  if (moved.state == Moved::State::ended) return close();
  if (moved.state != Moved::State::moved) {
    return transport_.wait_to_shake(shared_from_this(), moved.state);
  }
  owner_.count_handshake();
  rest();
}

void Connection::hands_may_go_on() {
  guarded([this] { shake_hands(); });
}

// --- requests ---

// Answers what has arrived, until something must be waited for.
void Connection::advance(std::size_t bytes) {
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
    stage_ = Stage::answering;
    deadline_ = Instant::never();
    owner_.count_request();
    if (step == Exchange::Step::request) {
      if (!answer()) return;
    } else {
      owner_.count_refusal();
      exchange_->respond(exchange_->refuse(exchange_->refusal()), owner_.is_draining());
      if (!send()) return;
    }
  }
  asio::post(owner_.context(),
             [self = shared_from_this()] { self->guarded([&] { self->advance(0); }); });
}

// The head of a request whose body is still to come. False where the connection does not read on.
bool Connection::take_head() {
  if (owner_.passes_on()) return pass_on();
  const NoWait no_wait;
  auto refusal = exchange_->refuse_head();
  // What would have to wait is asked again by answer(), on a worker.
  if (!refusal || no_wait.has_refused()) return true;
  owner_.count_request();
  owner_.count_refusal();
  refusal->close = true;
  return tell(*std::move(refusal));
}

// A deadline stands from the first byte of what it is for. Whether the connection reads on.
bool Connection::note_progress() {
  const ServerOptions& options = owner_.common().options;
  if (exchange_->is_in_body()) {
    if (stage_ != Stage::body) {
      enter(Stage::body, options.body_time_max);
      body_bytes_kept_up_ = 0;
      body_bytes_at_sweep_ = 0;
    }
    return note_body();
  }
  if (exchange_->has_begun() && stage_ != Stage::head) enter(Stage::head, options.head_time_max);
  return true;
}

// The rate is that of the last seconds: what came fast before buys no time.
bool Connection::note_body() {
  const ServerOptions& options = owner_.common().options;
  const std::size_t bytes = exchange_->body_bytes();
  const std::int64_t wanted =
      options.body_bytes_per_second_min * options.body_time_max.micros / Span::seconds(1).micros;
  if (bytes - body_bytes_kept_up_ >= static_cast<std::size_t>(wanted)) {
    body_bytes_kept_up_ = bytes;
    deadline_ = owner_.deadline_after(options.body_time_max);
  }
  account();
  if (accounted_bytes_ > 0 && has_full_share()) {
    owner_.count_refusal();
    owner_.count_overload();
    exchange_->respond(
        exchange_->refuse({503, {Code::throttled, "too much is being sent at once; try again"}}),
        true);
    if (send()) advance(0);
    return false;
  }
  if (!exchange_->owes_continue()) return true;
  const std::string_view line = "HTTP/1.1 100 Continue\r\n\r\n";
  const std::size_t sent = transport_.write_some(line).bytes;
  // Where nothing could be sent the client goes on by itself after a while; half a line would be
  // a lie, and TLS would have to send the line before anything else.
  if (sent == line.size() || (sent == 0 && !transport_.is_secure())) return true;
  close();
  return false;
}

// --- what all connections share ---

void Connection::count_waiting(bool waits) {
  if (is_waiting_ == waits) return;
  is_waiting_ = waits;
  auto& waiting = owner_.common().requests_waiting;
  waits ? ++waiting : --waiting;
}

void Connection::account() {
  // A piece of a response that goes on is counted by the outlet it comes from.
  std::size_t held = is_closed_ || sends_piece_ ? 0 : exchange_->held_bytes();
  if (!is_closed_ && websocket_ != nullptr) held += websocket_->held_bytes();
  if (held == accounted_bytes_) return;
  owner_.common().change_held(exchange_->network(), accounted_bytes_, held);
  accounted_bytes_ = held;
}

bool Connection::has_full_share() const {
  return owner_.common().has_full_share(exchange_->network());
}

// Whether memory that nothing comes into is wanted for others, of the same client or not.
bool Connection::is_idle_and_short() const {
  Common& common = owner_.common();
  return common.has_full_memory() ||
         common.shares.of(exchange_->network()) > common.memory_left() / limits::idle_share_divisor;
}

bool Connection::refuse_for_overload(const Error& why) {
  owner_.count_refusal();
  owner_.count_overload();
  return tell(exchange_->refuse({0, why, false}));
}

// True where the response has left and the next request may be looked at; likewise below.
bool Connection::answer() {
  Common& common = owner_.common();
  exchange_->answer_by(owner_.deadline_after(common.options.request_time_max));
  const bool is_full = common.is_full() || has_full_share();
  if ((is_full || owner_.passes_on()) && exchange_->is_urgent()) return tell(exchange_->answer());
  if (is_full) {
    return refuse_for_overload({Code::throttled, "too many requests are under way; try again"});
  }
  if (owner_.passes_on()) return pass_on();
  exchange_->admit();
  if (exchange_->is_quick()) {
    if (auto response = answer_without_waiting()) return respond(*std::move(response));
  }
  account();
  const bool is_costly = exchange_->is_costly();
  if (is_costly ? submit_costly(&Connection::answer_elsewhere)
                : submit(&Connection::answer_elsewhere, common.workers)) {
    count_waiting(true);
    watch_for_close();
    return false;
  }
  return refuse_for_overload(is_costly ? exchange_->too_many_costly()
                                       : Error{Code::throttled, too_many_waiting});
}

// Nothing where it would have to wait for another thread: then a worker does it.
std::optional<Response> Connection::answer_without_waiting() const {
  const NoWait no_wait;
  Response response = exchange_->answer();
  if (no_wait.has_refused()) return std::nullopt;
  return response;
}

// What has arrived and the socket become a connection of another loop; here it is over.
bool Connection::pass_on() {
  Descriptor socket(transport_.release_socket());
  is_closed_ = true;
  account();
  owner_.pass_on(*this, {std::move(socket), std::move(exchange_), transport_.release_tls()});
  return false;
}

// Whether the workers take it.
bool Connection::submit(Work work, Workers& to) {
  auto is_begun = std::make_shared<std::atomic<bool>>(false);
  is_begun_ = is_begun;
  is_elsewhere_ = true;
  auto run = [self = shared_from_this(), is_begun, work]() mutable {
    // The worker keeps nothing of the connection: its last owner must be the loop.
    Connection& connection = *self;
    if (!is_begun->exchange(true)) return (connection.*work)(std::move(self));
    asio::post(connection.owner_.context(), [self = std::move(self)] {});
  };
  if (to.submit({std::move(run), &is_gone_, exchange_->answer_by()})) return true;
  is_elsewhere_ = false;
  return false;
}

// The same where it is costly. A client that leaves keeps its place until its turn has come.
bool Connection::submit_costly(Work work) {
  Common& common = owner_.common();
  if (!common.costly_clients.take_one(exchange_->network(), common.options.costly_of_client_max)) {
    return false;
  }
  has_costly_place_ = true;
  if (submit(work, common.costly)) return true;
  leave_costly();
  return false;
}

// By whoever answers, before the client can hear of it.
void Connection::leave_costly() {
  if (!std::exchange(has_costly_place_, false)) return;
  owner_.common().costly_clients.change(exchange_->network(), 1, 0);
}

// Whether the loop has answered, because no worker has begun in time.
bool Connection::give_up_waiting(Instant now) {
  if (!is_elsewhere_ || now < exchange_->answer_by() || is_begun_->exchange(true)) return false;
  is_elsewhere_ = false;
  count_parsed(0);
  leave_costly();
  guarded([this] {
    owner_.count_refusal();
    const Error error{Code::throttled, "the request waited too long"};
    if (websocket_ != nullptr) {
      count_waiting(false);
      websocket_->refuse(error);
      converse();
    } else if (tell(exchange_->refuse({503, error, false}))) {
      advance(0);
    }
  });
  return true;
}

// By a worker, some time later.
Response Connection::answer_late() const {
  if (is_gone_) return {};
  if (monotonic_now() >= exchange_->answer_by()) {
    return exchange_->refuse({503, {Code::throttled, "the request waited too long"}, false});
  }
  if (has_full_share()) {
    return exchange_->refuse({503, {Code::throttled, "too much is under way; try again"}, false});
  }
  return exchange_->answer();
}

void Connection::answer_elsewhere(ConnectionPtr self) {
  try {
    Response response = answer_late();
    leave_costly();
    asio::post(owner_.context(),
               [self = std::move(self), response = std::move(response)]() mutable {
                 self->guarded([&] {
                   self->is_elsewhere_ = false;
                   if (self->respond(std::move(response))) self->advance(0);
                 });
               });
  } catch (const std::exception&) {
    is_lost_ = true;
  }
}

// A response that shows nothing of what is stored waits for no disk. Nothing could follow it.
bool Connection::tell(Response response) {
  if (response.stream || response.conversation) {
    response = exchange_->refuse({500, {Code::internal, "the answer must not go on"}, false});
  }
  exchange_->respond(std::move(response), owner_.is_draining());
  account();
  return send();
}

bool Connection::respond(Response response) {
  refuse_what_cannot_go_on(response);
  const Durability* durability = owner_.common().options.durability;
  const std::uint64_t mark = durability == nullptr ? 0 : durability->applied();
  const Response opener{.stream = response.stream, .conversation = response.conversation};
  exchange_->respond(std::move(response), owner_.is_draining());
  account();
  if (exchange_->goes_on()) open_stream(opener);
  return leave_or_hold(mark);
}

// What has been made ready leaves once the mark is durable; what is urgent shows nothing stored.
bool Connection::leave_or_hold(std::uint64_t mark) {
  Durability* durability = owner_.common().options.durability;
  if (durability == nullptr || durability->durable() >= mark || exchange_->is_urgent()) {
    return send();
  }
  count_waiting(outlet_ == nullptr);  // the pieces of a response that goes on are no requests
  held_until_ = std::max(exchange_->answer_by(),
                         owner_.deadline_after(owner_.common().options.confirm_time_min));
  hold(mark);
  return false;
}

// Until the mark is durable. Of a response that goes on nothing has been taken out yet.
void Connection::hold(std::uint64_t mark) {
  if (std::exchange(is_held_, true)) return;
  held_mark_ = mark;
  owner_.hold(shared_from_this(), mark);
}

void Connection::release() {
  if (!is_held_ || owner_.common().options.durability->durable() < held_mark_) return;
  is_held_ = false;
  if (stage_ == Stage::answering) return may_write();
  go_on();  // or what was first is still leaving, and comes back to it
}

void Connection::may_write() {
  guarded([this] {
    if (send()) advance(0);
  });
}

// The disk does not answer. What was done is not undone, so nobody is told that it was not.
void Connection::give_up() {
  is_held_ = false;
  guarded([this] {
    owner_.count_refusal();
    const char* message =
        "the disk does not confirm in time; a change that was asked for may or may not be kept";
    if (tell(exchange_->refuse({0, {Code::timed_out, message}, false}))) advance(0);
  });
}

bool Connection::send() {
  // For us; from here on it is the client who takes his time. What is sent beside a message that a
  // worker has is no answer.
  if (!is_elsewhere_) count_waiting(false);
  exchange_->let_go();
  const Span patience = owner_.common().options.send_time_max;
  if (stage_ != Stage::sending) {
    enter(Stage::sending, patience);
    const auto bytes = static_cast<std::int64_t>(exchange_->unsent_bytes());
    sent_by_ = deadline_ + Span::millis(bytes / sent_bytes_per_milli_min);
  }
  const std::size_t unsent_before = exchange_->unsent_bytes();
  while (exchange_->unsent_bytes() > 0) {
    const Moved moved = transport_.write_some(exchange_->unsent());
    if (moved.state == Moved::State::ended) {
      close();
      return false;
    }
    exchange_->sent(moved.bytes);
    if (moved.state == Moved::State::moved) continue;
    // Who takes nothing is ended sooner than who takes little.
    if (exchange_->unsent_bytes() < unsent_before) {
      deadline_ = std::min(owner_.deadline_after(patience), sent_by_);
    }
    transport_.wait_to_write(shared_from_this(), moved.state);
    return false;
  }
  return finish();
}

}  // namespace mayfly::net
