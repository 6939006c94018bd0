#include "net/streams/wake_list.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <utility>

namespace mayfly::net {

void WakeList::add(std::weak_ptr<Responder> responder) {
  const std::lock_guard lock(mutex_);
  if (woken_.empty()) boost::asio::post(context_, [this] { wake_all(); });
  woken_.push_back(std::move(responder));
}

void WakeList::wake_all() {
  {
    const std::lock_guard lock(mutex_);
    being_woken_.swap(woken_);
  }
  // The list holds weak references, because it must not be the last owner of a responder.
  for (const std::weak_ptr<Responder>& woken : being_woken_) {
    if (const auto responder = woken.lock()) responder->continue_stream();
  }
  being_woken_.clear();
}

}  // namespace mayfly::net
