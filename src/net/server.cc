// Opening sockets, starting threads, ending them.
#include "net/server.h"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "base/check.h"
#include "base/thread.h"
#include "net/loop.h"

namespace mayfly::net {
namespace {

constexpr int threads_max = 4;  // more cores serve the store better than the sockets
constexpr int backlog_max = 4096;

using Addresses = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

Result<Addresses> resolve_listen(const Listen& listen) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const std::string port = std::to_string(listen.port);
  const int status = getaddrinfo(listen.host.c_str(), port.c_str(), &hints, &found);
  if (status != 0) return fail(Code::invalid, gai_strerror(status));
  return Addresses(found, freeaddrinfo);
}

// Errors are errno's words.
Result<Descriptor> open_at(const addrinfo& address) {
  Descriptor socket(::socket(address.ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int yes = 1;
  const int no = 0;
  setsockopt(socket.number(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (address.ai_family == AF_INET6) {
    setsockopt(socket.number(), IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no);
  }
  if (socket.number() < 0 || bind(socket.number(), address.ai_addr, address.ai_addrlen) != 0 ||
      ::listen(socket.number(), backlog_max) != 0) {
    return fail(Code::invalid, std::strerror(errno));
  }
  return socket;
}

// At the first of the host's addresses that can be had.
Result<Descriptor> open(const Listen& listen) {
  const auto action = fmt::format("listening on {}:{} ({})", listen.host, listen.port, listen.name);
  auto addresses = resolve_listen(listen);
  if (!addresses) return tl::unexpected(std::move(addresses).error().during(action));
  Result<Descriptor> opened = fail(Code::invalid, "it has no address");
  for (const addrinfo* one = addresses->get(); one != nullptr && !opened; one = one->ai_next) {
    opened = open_at(*one);
  }
  if (!opened) return tl::unexpected(std::move(opened).error().during(action));
  return opened;
}

std::uint16_t port_of(const Descriptor& socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  CHECK(getsockname(socket.number(), reinterpret_cast<sockaddr*>(&address), &size) == 0);
  return ntohs(address.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(address).sin6_port
                                             : reinterpret_cast<sockaddr_in&>(address).sin_port);
}

class ThreadedServer final : public Server {
 public:
  explicit ThreadedServer(const ServerOptions& options)
      : common_{.options = options,
                .cors = Cors(options.cors_origins),
                .workers = Workers({.threads = options.workers,
                                    .waiting_max = options.workers_queue_max,
                                    .short_work_max = options.short_work_max}),
                .flusher = Flusher(options.durability)} {}
  ~ThreadedServer() override { stop(); }

  Result<void> open_all();
  void run();

  std::vector<std::uint16_t> ports() const override { return ports_; }
  ServerStats stats() const override;
  void stop() override;

 private:
  Common common_;
  std::vector<std::uint16_t> ports_;
  std::mutex stopping_;
  std::vector<std::thread> threads_;
};

Result<void> ThreadedServer::open_all() {
  const ServerOptions& options = common_.options;
  const int cores = static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
  const int threads = options.threads > 0 ? options.threads : std::min(cores, threads_max);
  for (int i = 0; i < threads; ++i) common_.loops.push_back(Loop::make(common_));
  common_.door = Loop::make_door(common_);
  for (const Listen& listen : options.listeners) {
    CHECK(listen.handler != nullptr);
    Descriptor socket = TRY(open(listen));
    ports_.push_back(port_of(socket));
    common_.door->listen(std::move(socket), listen);
  }
  return {};
}

void ThreadedServer::run() {
  for (const auto& loop : common_.loops) {
    threads_.emplace_back([&loop] {
      become_prompt_thread("net");
      loop->run();
    });
  }
  threads_.emplace_back([this] {
    become_prompt_thread("net door");
    common_.door->run();
  });
}

ServerStats ThreadedServer::stats() const {
  ServerStats sum{.connections_open = common_.connections_open.load(),
                  .requests_waiting = common_.requests_waiting.load(),
                  .flushing_for = common_.flusher.flushing_for(),
                  .exchange_bytes = common_.exchange_bytes.load(),
                  .streams_open = common_.streams_open.load()};
  const auto add = [&sum](const Loop& loop) {
    const ServerStats one = loop.stats();
    sum.connections_accepted += one.connections_accepted;
    sum.connections_refused += one.connections_refused;
    sum.requests += one.requests;
    sum.requests_refused += one.requests_refused;
    sum.requests_overloaded += one.requests_overloaded;
    sum.streams_overrun += one.streams_overrun;
    sum.tls_handshakes += one.tls_handshakes;
    sum.tls_failures += one.tls_failures;
  };
  add(*common_.door);
  for (const auto& loop : common_.loops) add(*loop);
  return sum;
}

void ThreadedServer::stop() {
  const std::lock_guard lock(stopping_);
  if (!threads_.empty()) {
    common_.door->drain();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }
  common_.workers.stop();
  common_.flusher.stop();
}

}  // namespace

Result<std::unique_ptr<Server>> Server::start(const ServerOptions& options) {
  // A client that leaves early is an error of write(), not a signal to die by.
  std::signal(SIGPIPE, SIG_IGN);
  auto server = std::make_unique<ThreadedServer>(options);
  TRY(server->open_all());
  server->run();
  return server;
}

}  // namespace mayfly::net
