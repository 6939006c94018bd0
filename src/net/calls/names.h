// Names: resolves the names of hosts for an event loop without blocking it.
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

// Nothing can interrupt the system's resolver, and a silent name server holds its thread for some
// ten seconds. So there are several threads, and parent domains take turns: the names of one have
// two of the threads at once. Who owns a domain can delay only the names below it, unless it owns
// several: each of these may hold two threads.
// Threads: that of the loop.
class Names {
 public:
  using Addresses = std::vector<boost::asio::ip::address>;
  using Found = std::function<void(boost::system::error_code, const Addresses&)>;
  // Waits until it knows. Threads: any.
  using Resolver = std::function<Addresses(const std::string& host, boost::system::error_code&)>;

  Names(boost::asio::io_context& loop, std::size_t threads, Resolver resolver = resolve_by_system);
  // Waits for what is being resolved.
  ~Names();

  // `found` is called later, on the loop, unless its `asker` is forgotten before; an asker waits
  // for one host at a time. However many ask for a host meanwhile, it is resolved once. Fails with
  // throttled where too many names of its parent domain wait.
  Result<void> resolve(const std::string& host, const void* asker, Found found);
  // Releases its `found`, if it is still there. A host that no other asker waits for is not
  // resolved, unless that has begun.
  void forget(const std::string& host, const void* asker);

 private:
  struct Waiting {
    const void* asker;
    Found found;
  };
  static Addresses resolve_by_system(const std::string& host, boost::system::error_code& failure);
  void start();
  void look_up(const std::string& host);
  void answer(const std::string& host, boost::system::error_code failure,
              const Addresses& addresses);

  boost::asio::io_context& loop_;
  const std::size_t threads_;
  const Resolver resolver_;
  std::map<std::string, std::vector<Waiting>> asked_;  // by host, in the order of the questions
  FairQueue<std::string> hosts_;                       // by parent domain
  std::optional<boost::asio::thread_pool> pool_;       // made for the first name
};

}  // namespace mayfly::net
