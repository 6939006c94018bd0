// NameResolver: resolves the names of hosts for an event loop without blocking it.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/system/error_code.hpp>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/threads/fair_queue.h"

namespace mayfly::net {

// The system's resolver cannot be interrupted, and a name server that does not answer blocks a
// thread for some ten seconds. So there are several threads, and parent domains are served in turn:
// the names of one domain use at most two threads at once. The owner of a domain can delay only the
// names below it. An owner of several domains can block two threads for each.
class NameResolver {
 public:
  using Addresses = std::vector<boost::asio::ip::address>;
  using OnResolved = std::function<void(boost::system::error_code, const Addresses&)>;
  // Blocks until the name is resolved. Threads: any.
  using Resolver = std::function<Addresses(const std::string& host, boost::system::error_code&)>;

  NameResolver(boost::asio::io_context& loop, std::size_t threads,
               Resolver resolver = resolve_by_system);
  // Waits for names that are being resolved.
  ~NameResolver();

  // Calls `found` later, on the loop, unless forget() is called for its `waiter` before. A waiter
  // waits for one host at a time. If several wait for the same host, it is resolved once. Fails
  // with throttled if too many names of its parent domain wait. A host that is an address needs no
  // thread; for it forget() has no effect, and `found` is called in any case.
  Result<void> resolve(const std::string& host, const void* waiter, OnResolved found);
  // Drops the waiter's `found`, if it has not been called. A host for which nothing waits any more
  // is not resolved, unless that has begun.
  void forget(const std::string& host, const void* waiter);

 private:
  struct PendingWaiter {
    const void* waiter;
    OnResolved found;
  };
  static Addresses resolve_by_system(const std::string& host, boost::system::error_code& failure);
  void start();
  void look_up(const std::string& host);
  void answer(const std::string& host, boost::system::error_code failure,
              const Addresses& addresses);

  boost::asio::io_context& loop_;
  const std::size_t threads_;
  const Resolver resolver_;
  std::map<std::string, std::vector<PendingWaiter>> pending_;  // by host, in the order of the calls
  FairQueue<std::string> hosts_;                               // by parent domain
  std::optional<boost::asio::thread_pool> pool_;               // created for the first name
};

}  // namespace mayfly::net
