// WakeList: the responders of one loop whose streams have new data. An event for a thousand of them
// needs one handler of the loop, not a thousand.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "net/requests/responder.h"

namespace mayfly::net {

class WakeList {
 public:
  // The loop's context; it outlives the list.
  explicit WakeList(boost::asio::io_context& context) : context_(context) {}

  // The loop calls continue_stream() of the responder, if it still exists. Threads: any. Throws if
  // memory runs out; then it is not called.
  void add(std::weak_ptr<Responder> responder);

 private:
  void wake_all();

  boost::asio::io_context& context_;
  std::mutex mutex_;  // guards woken_
  std::vector<std::weak_ptr<Responder>> woken_;
  std::vector<std::weak_ptr<Responder>> being_woken_;  // used by the loop alone
};

}  // namespace mayfly::net
