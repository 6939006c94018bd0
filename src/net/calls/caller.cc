#include "net/calls/caller.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
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
  };

  void take_in(OutgoingCall call, Done done) {
    auto target = parse_call_target(call.url);
    if (!target) return done(tl::unexpected(target.error()));
    if (calls_.waiting() >= waiting_max_) {
      return done(fail(Code::throttled, call.url + ": too many calls wait for their turn"));
    }
    const std::string host = target->origin();
    calls_.add(host, {std::move(call), *std::move(target), std::move(done)});
    start();
  }

  void start() {
    while (std::optional<Waiting> next = calls_.next()) {
      std::string host = next->target.origin();
      begin_call(
          context_, resolver_, std::move(next->call), std::move(next->target),
          [this, host = std::move(host), done = std::move(next->done)](Result<Response> outcome) {
            calls_.end(host);
            start();
            run_guarded("the end of a call", [&] { done(std::move(outcome)); });
          });
    }
  }

  const std::size_t waiting_max_;
  FairQueue<Waiting> calls_;  // by origin
  asio::io_context context_{1};
  const asio::executor_work_guard<asio::io_context::executor_type> work_{context_.get_executor()};
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
