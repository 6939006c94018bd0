// WakeList: the responders of one loop whose streams have something new. An event for a thousand
// of them is one turn of the loop, not a thousand.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "net/requests/responder.h"

namespace mayfly::net {

class WakeList {
 public:
  // The loop's; it outlives the list.
  explicit WakeList(boost::asio::io_context& context) : context_(context) {}

  // The loop calls its go_on(), where there still is one. Threads: any. Throws where memory runs
  // out; then it is not called.
  void add(std::weak_ptr<Responder> responder);

 private:
  void go_on();

  boost::asio::io_context& context_;
  std::mutex mutex_;  // guards woken_
  std::vector<std::weak_ptr<Responder>> woken_;
  std::vector<std::weak_ptr<Responder>> turn_;  // the loop's alone
};

}  // namespace mayfly::net
