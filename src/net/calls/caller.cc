#include "net/calls/caller.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "base/thread.h"
#include "net/calls/call_steps.h"

namespace mayfly::net {

namespace asio = boost::asio;

// The loop, and which calls have their turn: hosts go round, each with its calls in their order.
class Caller::Loop {
 public:
  explicit Loop(Bounds bounds) : bounds_(bounds), names_(context_, bounds.names_max) {}

  ~Loop() {
    context_.stop();
    if (thread_.joinable()) thread_.join();
  }

  void add(Call call, Done done) {
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
    Call call;
    CallTarget target;
    Done done;
  };
  struct Host {
    std::size_t under_way = 0;
    std::deque<Waiting> waiting = {};
    bool is_in_turn = false;  // stands in `in_turn_`
  };
  using Hosts = std::map<std::string, Host>;  // by origin

  void take_in(Call call, Done done) {
    auto target = parse_call_target(call.url);
    if (!target) return done(tl::unexpected(target.error()));
    if (waiting_ >= bounds_.waiting_max) {
      return done(fail(Code::throttled, call.url + ": too many calls wait for their turn"));
    }
    const auto host = hosts_.try_emplace(target->origin()).first;
    host->second.waiting.push_back({std::move(call), *std::move(target), std::move(done)});
    ++waiting_;
    give_turn(host);
    start();
  }

  void give_turn(Hosts::iterator host) {
    Host& state = host->second;
    const bool may_start =
        !state.waiting.empty() && state.under_way < bounds_.calls_to_one_host_max;
    if (state.is_in_turn || !may_start) return;
    state.is_in_turn = true;
    in_turn_.push_back(host);
  }

  void start() {
    while (under_way_ < bounds_.calls_max && !in_turn_.empty()) {
      const auto host = in_turn_.front();
      in_turn_.pop_front();
      Waiting next = std::move(host->second.waiting.front());
      host->second.waiting.pop_front();
      host->second.is_in_turn = false;
      --waiting_;
      ++under_way_;
      ++host->second.under_way;
      give_turn(host);
      begin_call(context_, names_, std::move(next.call), std::move(next.target),
                 [this, host, done = std::move(next.done)](Result<Response> outcome) {
                   note_end(host);
                   run_guarded("the end of a call", [&] { done(std::move(outcome)); });
                 });
    }
  }

  void note_end(Hosts::iterator host) {
    --under_way_;
    --host->second.under_way;
    give_turn(host);
    if (host->second.under_way == 0 && host->second.waiting.empty()) hosts_.erase(host);
    start();
  }

  const Bounds bounds_;
  Hosts hosts_;
  std::deque<Hosts::iterator> in_turn_;
  std::size_t under_way_ = 0;
  std::size_t waiting_ = 0;
  asio::io_context context_{1};
  const asio::executor_work_guard<asio::io_context::executor_type> work_{context_.get_executor()};
  Names names_;
  std::once_flag started_;
  std::thread thread_;
};

Caller::Caller(Bounds bounds) : loop_(std::make_unique<Loop>(bounds)) {}

Caller::~Caller() = default;

void Caller::call(Call call, Done done) {
  loop_->add(std::move(call), std::move(done));
}

}  // namespace mayfly::net
