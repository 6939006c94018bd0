#include "net/streams/wake_list.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <utility>

namespace mayfly::net {

void WakeList::add(std::weak_ptr<Responder> responder) {
  const std::lock_guard lock(mutex_);
  if (woken_.empty()) boost::asio::post(context_, [this] { go_on(); });
  woken_.push_back(std::move(responder));
}

void WakeList::go_on() {
  {
    const std::lock_guard lock(mutex_);
    turn_.swap(woken_);
  }
  // What is left of it here must not be the last owner of one, which is the loop.
  for (const std::weak_ptr<Responder>& woken : turn_) {
    if (const auto responder = woken.lock()) responder->go_on();
  }
  turn_.clear();
}

}  // namespace mayfly::net
