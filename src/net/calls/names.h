// Names: resolves the names of hosts for an event loop without blocking it.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/system/error_code.hpp>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mayfly::net {

// Asio's own resolver has one thread for all names, so that a silent name server would delay every
// other. Here each name takes one of several threads, however many ask for it meanwhile.
// Threads: that of the loop.
class Names {
 public:
  using Addresses = boost::asio::ip::tcp::resolver::results_type;
  using Found = std::function<void(boost::system::error_code, const Addresses&)>;

  Names(boost::asio::io_context& loop, std::size_t threads) : loop_(loop), threads_(threads) {}
  // Waits for what is being resolved.
  ~Names();

  // `found` is called later, on the loop.
  void resolve(const std::string& host, const std::string& port, Found found);

 private:
  using Key = std::pair<std::string, std::string>;
  void look_up(const Key& key);
  void answer(const Key& key, boost::system::error_code failure, const Addresses& addresses);

  boost::asio::io_context& loop_;
  const std::size_t threads_;
  std::map<Key, std::vector<Found>> asked_;
  std::optional<boost::asio::thread_pool> pool_;  // made for the first name
};

}  // namespace mayfly::net
