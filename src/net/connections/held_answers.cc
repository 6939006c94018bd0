// A response that must wait for the disk is held, and the first one held posts a check. Asio runs
// posted handlers after the sockets that were ready before, and then polls the kernel. So each
// check comes after one more poll. While more responses have been held since the last check,
// another check is posted; otherwise one flush serves all of them. Responses that are held during
// the flush wait for the next one.

#include "net/connections/held_answers.h"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <exception>
#include <utility>

#include "base/service/kill_point.h"

namespace mayfly::net {
namespace {

namespace asio = boost::asio;

constexpr int checks_max = 8;  // before the flush, however many responses are added

}  // namespace

void HeldAnswers::hold(ResponderPtr responder, std::uint64_t watermark) {
  const bool is_served = !flushing_.empty() && watermark <= flushing_watermark_;
  (is_served ? flushing_ : unflushed_).push_back(std::move(responder));
  if (is_served) return;
  unflushed_watermark_ = std::max(unflushed_watermark_, watermark);
  post_check();
}

void HeldAnswers::post_check() {
  if (is_check_posted_ || !flushing_.empty()) return;
  asio::post(context_, [this] { check(); });
  is_check_posted_ = true;
}

void HeldAnswers::check() {
  is_check_posted_ = false;
  if (unflushed_.size() == seen_ || ++checks_ == checks_max) return flush();
  seen_ = unflushed_.size();
  post_check();
}

void HeldAnswers::flush() {
  checks_ = 0;
  seen_ = 0;
  if (unflushed_.empty()) return;
  common_.flusher.flush(unflushed_watermark_, *this);
  flushing_.swap(unflushed_);
  flushing_watermark_ = unflushed_watermark_;
}

void HeldAnswers::flushed() {
  try {
    asio::post(context_, [this] { release_durable(); });
  } catch (const std::exception&) {
    // The next tick checks again.
  }
}

void HeldAnswers::release_durable() {
  if (flushing_.empty() || common_.options.durability->durable() < flushing_watermark_) return;
  KILL_POINT("answer.leaving");
  released_.swap(flushing_);
  for (const ResponderPtr& responder : released_) {
    responder->release();
    KILL_POINT("answer.left");
  }
  released_.clear();
  if (!unflushed_.empty()) post_check();
}

void HeldAnswers::tick() {
  std::erase_if(unflushed_, [](const ResponderPtr& one) { return !one->is_held(); });
  // Posts a check that could not be posted for lack of memory.
  if (!unflushed_.empty()) post_check();
  release_durable();
}

}  // namespace mayfly::net
