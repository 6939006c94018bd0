// Who answers a connection's request, the thread of the connection or a worker, and when the answer
// may leave.
#include <algorithm>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "base/no_wait.h"
#include "net/connection.h"

namespace mayfly::net {
namespace {

namespace asio = boost::asio;

constexpr const char* too_many_waiting = "too many long requests are waiting; try again";

}  // namespace

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
  exchange_->enter();
  const Pace pace = exchange_->pace();
  if (pace == Pace::quick) {
    if (auto response = answer_without_waiting()) return respond(*std::move(response));
  }
  account();
  const bool is_costly = pace == Pace::costly;
  if (is_costly ? submit_costly(&Connection::answer_elsewhere)
                : submit(&Connection::answer_elsewhere, common.workers, std::make_shared<Job>())) {
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
  enter_without_deadline(Closed{});
  account();
  owner_.pass_on(*this, {std::move(socket), std::move(exchange_), transport_.release_tls()});
  return false;
}

// Whether the workers take it.
bool Connection::submit(Work work, Workers& to, std::shared_ptr<Job> job) {
  job_ = job;
  auto run = [self = shared_from_this(), job = std::move(job), work]() mutable {
    // The worker keeps nothing of the connection: its last owner must be the loop.
    Connection& connection = *self;
    if (!job->is_begun.exchange(true)) return (connection.*work)(std::move(self));
    asio::post(connection.owner_.context(), [self = std::move(self)] {});
  };
  if (to.submit({std::move(run), &is_gone_, exchange_->answer_by()})) return true;
  leave_costly();
  job_ = nullptr;
  return false;
}

// The same where it is costly. A client that leaves keeps its place until its turn has come.
bool Connection::submit_costly(Work work) {
  Common& common = owner_.common();
  auto job = std::make_shared<Job>();
  if (!common.costly_clients.take_one(exchange_->network(), common.options.costly_of_client_max)) {
    return false;
  }
  job->has_costly_place = true;
  return submit(work, common.costly, std::move(job));
}

// By whoever answers, before the client can hear of it.
void Connection::leave_costly() {
  if (job_ == nullptr || !std::exchange(job_->has_costly_place, false)) return;
  owner_.common().costly_clients.change(exchange_->network(), 1, 0);
}

// Whether the loop has answered, because no worker has begun in time.
bool Connection::give_up_waiting(Instant now) {
  if (job_ == nullptr || now < exchange_->answer_by() || job_->is_begun.exchange(true)) {
    return false;
  }
  count_parsed(0);
  leave_costly();
  job_ = nullptr;
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
                   self->job_ = nullptr;
                   if (self->respond(std::move(response))) self->advance(0);
                 });
               });
  } catch (const std::exception&) {
    is_lost_ = true;
  }
}

// A response that shows nothing of what is stored waits for no disk. Nothing could follow it.
bool Connection::tell(Response&& response) {
  if (response.stream || response.conversation) {
    response = exchange_->refuse({500, {Code::internal, "the answer must not go on"}, false});
  }
  exchange_->respond(response, owner_.is_draining());
  account();
  return send();
}

bool Connection::respond(Response&& response) {
  refuse_what_cannot_go_on(response);
  const Durability* durability = owner_.common().options.durability;
  const std::uint64_t mark = durability == nullptr ? 0 : durability->applied();
  exchange_->respond(response, owner_.is_draining());
  account();
  if (exchange_->goes_on()) open_stream(response);
  return leave_or_hold(mark);
}

// What has been made ready leaves once the mark is durable; what is urgent shows nothing stored.
bool Connection::leave_or_hold(std::uint64_t mark) {
  Durability* durability = owner_.common().options.durability;
  if (durability == nullptr || durability->durable() >= mark || exchange_->is_urgent()) {
    return send();
  }
  count_waiting(outlet_ == nullptr);  // the pieces of a response that goes on are no requests
  const Span confirm_time_min = owner_.common().options.confirm_time_min;
  hold({mark, std::max(exchange_->answer_by(), owner_.deadline_after(confirm_time_min))});
  return false;
}

// Until the mark is durable. Of a response that goes on nothing has been taken out yet.
void Connection::hold(Held held) {
  if (held_) return;
  held_ = held;
  owner_.hold(shared_from_this(), held.mark);
}

void Connection::release() {
  if (!held_ || owner_.common().options.durability->durable() < held_->mark) return;
  held_.reset();
  if (is<Answering>()) return may_write();
  go_on();  // or what was first is still leaving, and comes back to it
}

void Connection::may_write() {
  guarded([this] {
    if (send()) advance(0);
  });
}

// The disk does not answer. What was done is not undone, so nobody is told that it was not.
void Connection::give_up() {
  held_.reset();
  guarded([this] {
    owner_.count_refusal();
    const char* message =
        "the disk does not confirm in time; a change that was asked for may or may not be kept";
    if (tell(exchange_->refuse({0, {Code::timed_out, message}, false}))) advance(0);
  });
}

}  // namespace mayfly::net
