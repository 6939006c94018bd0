// Which thread answers a request, that of the connection or a worker, and when the answer may be
// sent.
#include "net/requests/responder.h"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <string>

#include "base/threads/no_wait.h"

namespace mayfly::net {
namespace {

namespace asio = boost::asio;

constexpr const char* too_many_waiting = "too many long requests are waiting; try again";

}  // namespace

Responder::~Responder() {
  if (send_queue_ != nullptr) send_queue_->close();
}

void Responder::enter(Stage stage, Span time_max) {
  stage_ = stage;
  deadline_ = owner_.deadline_after(time_max);
}

void Responder::enter_without_deadline(Stage stage) {
  stage_ = stage;
  deadline_ = Instant::never();
}

void Responder::enter_closed() {
  enter_without_deadline(Closed{});
  is_disconnected_ = true;
  close_stream();
  count_waiting(false);
  account();
}

// --- accounting shared by all connections ---

void Responder::count_waiting(bool waits) {
  if (is_waiting_ == waits) return;
  is_waiting_ = waits;
  auto& waiting = owner_.common().requests_waiting;
  waits ? ++waiting : --waiting;
}

void Responder::account() {
  const std::size_t held = is<Closed>() ? 0 : held_bytes();
  if (held == accounted_bytes_) return;
  owner_.common().change_held(request_.network(), accounted_bytes_, held);
  accounted_bytes_ = held;
}

bool Responder::has_full_share() const {
  return owner_.common().has_full_share(request_.network());
}

// --- the request arrives ---

std::optional<Response> Responder::refuse_head() const {
  const NoWait no_wait;
  auto refusal = request_.refuse_head();
  // If the check would have to wait, answer() repeats it on a worker.
  if (!refusal || no_wait.has_refused()) return std::nullopt;
  owner_.count_request();
  owner_.count_refusal();
  refusal->close = true;
  return refusal;
}

// The rate is that of the last seconds: bytes that came fast before give no extra time.
bool Responder::on_body() {
  const ServerOptions& options = owner_.common().options;
  if (!is<Body>()) enter(Body{}, options.body_time_max);
  const std::size_t bytes = request_.body_bytes();
  const std::int64_t required_bytes =
      options.body_bytes_per_second_min * options.body_time_max.micros / Span::seconds(1).micros;
  Body& body = *in<Body>();
  if (bytes - body.bytes_kept_up >= static_cast<std::size_t>(required_bytes)) {
    body.bytes_kept_up = bytes;
    deadline_ = owner_.deadline_after(options.body_time_max);
  }
  account();
  if (accounted_bytes_ == 0 || !has_full_share()) return true;
  owner_.count_overload();
  if (refuse({503, {Code::throttled, "too much is being sent at once; try again"}})) advance();
  return false;
}

// --- the answer ---

bool Responder::refuse(const Refusal& refusal) {
  owner_.count_refusal();
  return send_answer(request_.refuse(refusal));
}

bool Responder::refuse_for_overload(const Error& why) {
  owner_.count_overload();
  return refuse({0, why, false});
}

bool Responder::answer() {
  Common& common = owner_.common();
  request_.answer_by(owner_.deadline_after(common.options.request_time_max));
  if (is_full()) {
    if (request_.is_urgent()) return send_answer(request_.answer());
    return refuse_for_overload({Code::throttled, "too many requests are under way; try again"});
  }
  request_.enter();
  const Pace pace = request_.pace();
  if (pace == Pace::quick) {
    if (auto response = answer_without_waiting()) return respond(*std::move(response));
  }
  account();
  const bool is_costly = pace == Pace::costly;
  const Work work = [](ResponderPtr self) {
    Responder& responder = *self;
    responder.answer_elsewhere(std::move(self));
  };
  if (is_costly ? submit_costly(work) : submit(work, common.workers, std::make_shared<Job>())) {
    count_waiting(true);
    watch_for_close();
    return false;
  }
  return refuse_for_overload(is_costly ? request_.too_many_costly()
                                       : Error{Code::throttled, too_many_waiting});
}

// Empty if it would have to wait for another thread: then a worker answers.
std::optional<Response> Responder::answer_without_waiting() const {
  const NoWait no_wait;
  Response response = request_.answer();
  if (no_wait.has_refused()) return std::nullopt;
  return response;
}

bool Responder::submit(Work work, Workers& to, std::shared_ptr<Job> job) {
  job_ = job;
  std::function<void()> leave;
  if (job->has_costly_slot) leave = [this] { release_costly_slot(); };
  auto run = [self = shared_from_this(), job = std::move(job), work]() mutable {
    // The worker must not keep a reference: the loop must release the last one.
    if (!job->is_begun.exchange(true)) return work(std::move(self));
    asio::io_context& context = self->owner_.context();
    asio::post(context, [self = std::move(self)] {});
  };
  Workers::Job submitted{.run = std::move(run),
                         .is_cancelled = &is_disconnected_,
                         .due = request_.answer_by(),
                         .network = request_.network(),
                         .on_moved = std::move(leave)};
  if (to.submit(std::move(submitted))) return true;
  release_costly_slot();
  job_ = nullptr;
  return false;
}

bool Responder::submit_costly(Work work) {
  Common& common = owner_.common();
  auto job = std::make_shared<Job>();
  if (!common.costly_clients.take_one(request_.network(), common.options.costly_of_client_max)) {
    return false;
  }
  job->has_costly_slot = true;
  return submit(work, common.costly, std::move(job));
}

void Responder::release_costly_slot() {
  if (job_ == nullptr || !std::exchange(job_->has_costly_slot, false)) return;
  owner_.common().costly_clients.change(request_.network(), 1, 0);
}

// Returns whether the loop has answered, because no worker has started in time.
bool Responder::give_up_waiting(Instant now) {
  if (job_ == nullptr || now < request_.answer_by() || job_->is_begun.exchange(true)) return false;
  release_costly_slot();
  job_ = nullptr;
  guarded([this] { refuse_late({Code::throttled, "the request waited too long"}); });
  return true;
}

void Responder::refuse_late(const Error& error) {
  if (refuse({503, error, false})) advance();
}

// Runs on a worker, some time later.
Response Responder::answer_late() const {
  if (is_disconnected_) return {};
  if (monotonic_now() >= request_.answer_by()) {
    return request_.refuse({503, {Code::throttled, "the request waited too long"}, false});
  }
  if (has_full_share()) {
    return request_.refuse({503, {Code::throttled, "too much is under way; try again"}, false});
  }
  return request_.answer();
}

void Responder::answer_elsewhere(ResponderPtr self) {
  try {
    Response response = answer_late();
    release_costly_slot();
    asio::post(owner_.context(),
               [self = std::move(self), response = std::move(response)]() mutable {
                 self->guarded([&] {
                   self->job_ = nullptr;
                   if (self->respond(std::move(response))) self->advance();
                 });
               });
  } catch (const std::exception&) {
    has_failed_delivery_ = true;
  }
}

bool Responder::send_answer(Response&& response) {
  if (response.stream || response.conversation) {
    response = request_.refuse({500, {Code::internal, "the answer must not go on"}, false});
  }
  make_ready(response);
  account();
  return send();
}

bool Responder::respond(Response&& response) {
  refuse_impossible_stream(response);
  const Durability* durability = owner_.common().options.durability;
  const std::uint64_t watermark = durability == nullptr ? 0 : durability->applied();
  if (!make_ready_in_share(response)) {
    owner_.count_overload();
    return refuse_uncertain("there is no memory for the answer, because too many wait to be taken");
  }
  if (has_more()) open_stream(response);
  return send_or_hold(watermark);
}

// False if its client already holds too much. Other answers may have filled its share since the
// request arrived.
bool Responder::make_ready_in_share(Response& response) {
  account();
  const std::size_t request_bytes = accounted_bytes_;
  make_ready(response);
  account();
  if (accounted_bytes_ <= request_bytes + limits::answer_always_kept_bytes) return true;
  return owner_.common().may_keep(
      request_.network(),
      {.request_bytes = request_bytes, .answer_bytes = accounted_bytes_ - request_bytes});
}

// Replaces an answer that was made. Its changes are not undone, so this does not say that they
// were, and does not ask the client to try again.
bool Responder::refuse_uncertain(const char* why) {
  const std::string message =
      std::string(why) + "; a change that was asked for may or may not be kept";
  return refuse({0, {Code::timed_out, message}, false});
}

// --- the disk ---

// Sends the prepared bytes once the watermark is durable. An urgent answer shows no stored data and
// is sent immediately.
bool Responder::send_or_hold(std::uint64_t watermark) {
  Durability* durability = owner_.common().options.durability;
  if (durability == nullptr || durability->durable() >= watermark || request_.is_urgent()) {
    return send();
  }
  count_waiting(send_queue_ == nullptr);  // pieces of a streamed response do not count as requests
  const Span confirm_time_min = owner_.common().options.confirm_time_min;
  hold({watermark, std::max(request_.answer_by(), owner_.deadline_after(confirm_time_min))});
  return false;
}

// Holds the response until the watermark is durable. A piece of a streamed response is still in its
// queue.
void Responder::hold(HeldResponse held) {
  if (held_) return;
  held_ = held;
  owner_.hold(shared_from_this(), held.watermark);
}

void Responder::release() {
  if (!held_ || owner_.common().options.durability->durable() < held_->watermark) return;
  held_.reset();
  // The previous bytes are still being sent; continue_stream() is called after them.
  if (!is<Answering>()) return continue_stream();
  guarded([this] {
    if (send()) advance();
  });
}

// The disk does not answer.
void Responder::give_up() {
  held_.reset();
  guarded([this] {
    if (refuse_uncertain("the disk does not confirm in time")) advance();
  });
}

}  // namespace mayfly::net
