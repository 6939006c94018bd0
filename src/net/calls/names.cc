#include "net/calls/names.h"

#include <boost/asio/post.hpp>
#include <cstdint>

namespace mayfly::net {

namespace asio = boost::asio;

Names::~Names() {
  if (!pool_) return;
  pool_->stop();
  pool_->join();
}

void Names::resolve(const std::string& host, const std::string& port, Found found) {
  boost::system::error_code is_name;
  const auto address = asio::ip::make_address(host, is_name);
  if (!is_name) {
    const asio::ip::tcp::endpoint only{address, static_cast<std::uint16_t>(std::stoi(port))};
    asio::post(loop_, [found = std::move(found), at = Addresses::create(only, host, port)] {
      found({}, at);
    });
    return;
  }
  Key key{host, port};
  std::vector<Found>& waiting = asked_[key];
  waiting.push_back(std::move(found));
  if (waiting.size() > 1) return;
  if (!pool_) pool_.emplace(threads_);
  asio::post(*pool_, [this, key = std::move(key)] { look_up(key); });
}

// By a thread of the pool.
void Names::look_up(const Key& key) {
  asio::io_context own;
  boost::system::error_code failure;
  Addresses addresses = asio::ip::tcp::resolver(own).resolve(key.first, key.second, failure);
  asio::post(loop_, [this, key, failure, addresses = std::move(addresses)] {
    answer(key, failure, addresses);
  });
}

void Names::answer(const Key& key, boost::system::error_code failure, const Addresses& addresses) {
  auto waiting = asked_.extract(key);
  for (const Found& found : waiting.mapped()) found(failure, addresses);
}

}  // namespace mayfly::net
