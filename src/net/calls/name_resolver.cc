#include "net/calls/name_resolver.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <cctype>
#include <string_view>
#include <utility>

#include "net/calls/limits.h"

namespace mayfly::net {

namespace asio = boost::asio;

namespace {

// The last two labels. Owners below a public suffix of two labels, such as co.uk, share one place
// in the queue.
std::string parent_domain_of(std::string_view host) {
  while (host.ends_with('.')) host.remove_suffix(1);
  const std::size_t last = host.find_last_of('.');
  if (last != host.npos && last > 0) {
    const std::size_t before = host.find_last_of('.', last - 1);
    if (before != host.npos) host.remove_prefix(before + 1);
  }
  std::string domain(host);
  for (char& c : domain) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return domain;
}

}  // namespace

NameResolver::NameResolver(asio::io_context& loop, std::size_t threads, Resolver resolver)
    : loop_(loop),
      threads_(threads),
      resolver_(std::move(resolver)),
      hosts_({.under_way_max = threads,
              .under_way_of_one_group_max = limits::names_of_one_domain_resolved_at_once_max}) {}

NameResolver::~NameResolver() {
  if (!pool_) return;
  pool_->stop();
  pool_->join();
}

Result<void> NameResolver::resolve(const std::string& host, const void* waiter, OnResolved found) {
  boost::system::error_code is_name;
  const auto address = asio::ip::make_address(host, is_name);
  if (!is_name) {
    asio::post(loop_, [found = std::move(found), address] { found({}, {address}); });
    return {};
  }
  if (!pending_.contains(host)) {
    const std::string domain = parent_domain_of(host);
    if (hosts_.waiting_of(domain) >= limits::names_of_one_domain_waiting_max) {
      return fail(Code::throttled, "too many names of '" + domain + "' wait to be resolved");
    }
    hosts_.add(domain, host);
  }
  pending_[host].push_back({waiter, std::move(found)});
  start();
  return {};
}

void NameResolver::forget(const std::string& host, const void* waiter) {
  const auto pending = pending_.find(host);
  if (pending == pending_.end()) return;
  std::erase_if(pending->second,
                [&](const PendingWaiter& waiting) { return waiting.waiter == waiter; });
  if (pending->second.empty() && hosts_.remove(parent_domain_of(host), host))
    pending_.erase(pending);
}

void NameResolver::start() {
  while (std::optional<std::string> host = hosts_.next()) {
    if (!pool_) pool_.emplace(threads_);
    asio::post(*pool_, [this, host = *std::move(host)] { look_up(host); });
  }
}

NameResolver::Addresses NameResolver::resolve_by_system(const std::string& host,
                                                        boost::system::error_code& failure) {
  asio::io_context own;
  Addresses addresses;
  for (const auto& entry : asio::ip::tcp::resolver(own).resolve(host, "", failure)) {
    addresses.push_back(entry.endpoint().address());
  }
  return addresses;
}

// Runs on a thread of the pool.
void NameResolver::look_up(const std::string& host) {
  boost::system::error_code failure;
  Addresses addresses = resolver_(host, failure);
  asio::post(loop_, [this, host, failure, addresses = std::move(addresses)] {
    answer(host, failure, addresses);
  });
}

void NameResolver::answer(const std::string& host, boost::system::error_code failure,
                          const Addresses& addresses) {
  const auto pending = pending_.extract(host);
  hosts_.end(parent_domain_of(host));
  start();
  for (const PendingWaiter& waiting : pending.mapped()) waiting.found(failure, addresses);
}

}  // namespace mayfly::net
