#include "net/calls/caller.h"

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "base/threads/fair_queue.h"
#include "base/threads/thread.h"
#include "net/calls/call_steps.h"

namespace mayfly::net {

namespace asio = boost::asio;

// The event loop and the queue of calls.
class Caller::Loop {
 public:
  explicit Loop(Bounds bounds)
      : waiting_max_(bounds.waiting_max),
        calls_({.under_way_max = bounds.calls_max,
                .under_way_of_one_group_max = bounds.calls_to_one_host_max}),
        resolver_(context_, bounds.names_max) {}

  ~Loop() {
    context_.stop();
    if (thread_.joinable()) thread_.join();
  }

  void add(OutgoingCall call, Done done) {
    std::call_once(started_, [this] {
      thread_ = std::thread([this] {
        become_prompt_thread("calls");
        keep_running("outgoing calls", [this] { context_.run(); });
      });
    });
    asio::post(context_, [this, call = std::move(call), done = std::move(done)]() mutable {
      take_in(std::move(call), std::move(done));
    });
  }

 private:
  struct Waiting {
    OutgoingCall call;
    CallTarget target;
    Done done;
    std::optional<asio::steady_timer> limit = {};  // ends the wait at call.until
  };
  using WaitingPtr = std::shared_ptr<Waiting>;

  void take_in(OutgoingCall call, Done done) {
    auto target = parse_call_target(call.url);
    if (!target) return done(tl::unexpected(target.error()));
    if (calls_.waiting() >= waiting_max_) {
      return done(
          fail(Code::throttled, url_for_errors(call.url) + ": too many calls wait for their turn"));
    }
    const std::string host = target->origin();
    const auto waiting =
        std::make_shared<Waiting>(std::move(call), *std::move(target), std::move(done));
    calls_.add(host, waiting);
    start();
    const bool is_limited = !waiting->call.until.is_never();
    if (is_limited && calls_.waiting_of(host) > 0) limit_wait(host, waiting);
  }

  void limit_wait(const std::string& host, const WaitingPtr& waiting) {
    const Span rest = waiting->call.until - monotonic_now();
    waiting->limit.emplace(context_, std::chrono::microseconds(rest.micros));
    waiting->limit->async_wait([this, host, one = std::weak_ptr(waiting)](auto) {
      const WaitingPtr waiting = one.lock();
      if (!waiting || !calls_.remove(host, waiting)) return;  // it has begun
      run_guarded("the end of a call", [&] {
        const std::string url = url_for_errors(waiting->call.url);
        waiting->done(fail(Code::timed_out, url + ": no answer in time"));
      });
    });
  }

  void start() {
    while (const std::optional<WaitingPtr> next = calls_.next()) {
      Waiting& one = **next;
      one.limit.reset();
      one.call.time_max = std::min(one.call.time_max, one.call.until - monotonic_now());
      std::string host = one.target.origin();
      begin_call(
          context_, resolver_, std::move(one.call), std::move(one.target),
          [this, host = std::move(host), done = std::move(one.done)](Result<Response> outcome) {
            calls_.end(host);
            start();
            run_guarded("the end of a call", [&] { done(std::move(outcome)); });
          });
    }
  }

  const std::size_t waiting_max_;
  asio::io_context context_{1};
  const asio::executor_work_guard<asio::io_context::executor_type> work_{context_.get_executor()};
  FairQueue<WaitingPtr> calls_;  // by origin
  NameResolver resolver_;
  std::once_flag started_;
  std::thread thread_;
};

Caller::Caller(Bounds bounds) : loop_(std::make_unique<Loop>(bounds)) {}

Caller::~Caller() = default;

void Caller::call(OutgoingCall call, Done done) {
  loop_->add(std::move(call), std::move(done));
}

}  // namespace mayfly::net
