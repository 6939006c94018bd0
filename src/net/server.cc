// Opens sockets, starts threads and stops them.
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
#include "base/threads/thread.h"
#include "net/connections/loop.h"

namespace mayfly::net {
namespace {

constexpr int threads_max = 4;  // more cores serve the store better than the sockets
constexpr int backlog_max = 4096;

using Addresses = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

Result<Addresses> resolve_listen(const ListenerOptions& listener) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const std::string port = std::to_string(listener.port);
  const int status = getaddrinfo(listener.host.c_str(), port.c_str(), &hints, &found);
  if (status != 0) {
    return fail(
        Code::invalid,
        fmt::format("host: '{}' cannot be resolved: {}", listener.host, gai_strerror(status)),
        "host");
  }
  return Addresses(found, freeaddrinfo);
}

// The message of an error is that of errno. Sets `is_taken` if another program has the port.
Result<Descriptor> open_at(const addrinfo& address, bool& is_taken) {
  Descriptor socket(::socket(address.ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int yes = 1;
  const int no = 0;
  setsockopt(socket.number(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (address.ai_family == AF_INET6) {
    setsockopt(socket.number(), IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no);
  }
  if (socket.number() < 0 || bind(socket.number(), address.ai_addr, address.ai_addrlen) != 0 ||
      ::listen(socket.number(), backlog_max) != 0) {
    is_taken = errno == EADDRINUSE;
    return fail(Code::invalid, std::strerror(errno));
  }
  return socket;
}

std::uint16_t port_of(const Descriptor& socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  CHECK(getsockname(socket.number(), reinterpret_cast<sockaddr*>(&address), &size) == 0);
  return ntohs(address.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(address).sin6_port
                                             : reinterpret_cast<sockaddr_in&>(address).sin_port);
}

void set_port(addrinfo& address, std::uint16_t port) {
  if (address.ai_family == AF_INET6) {
    reinterpret_cast<sockaddr_in6&>(*address.ai_addr).sin6_port = htons(port);
  } else {
    reinterpret_cast<sockaddr_in&>(*address.ai_addr).sin_port = htons(port);
  }
}

// Whether the list contains the same address before: a hosts file may list one twice.
bool is_repeated(const addrinfo& first, const addrinfo& address) {
  for (const addrinfo* one = &first; one != &address; one = one->ai_next) {
    if (one->ai_addrlen == address.ai_addrlen &&
        std::memcmp(one->ai_addr, address.ai_addr, address.ai_addrlen) == 0) {
      return true;
    }
  }
  return false;
}

// Opens sockets at all of the host's addresses on this machine, on one port. Fails if there are
// none, or if another program has the port at one of them.
Result<std::vector<Descriptor>> open_all_of(const ListenerOptions& listener) {
  const Addresses addresses = TRY(resolve_listen(listener));
  std::vector<Descriptor> opened;
  std::string failure = "it has no address";
  for (addrinfo* one = addresses.get(); one != nullptr; one = one->ai_next) {
    if (!opened.empty()) set_port(*one, port_of(opened.front()));
    if (is_repeated(*addresses, *one)) continue;
    bool is_taken = false;
    auto socket = open_at(*one, is_taken);
    if (socket) {
      set_port(*one, port_of(*socket));
      opened.push_back(*std::move(socket));
    } else {
      failure = socket.error().message;
      if (is_taken) return fail(Code::exists, failure);
    }
  }
  if (opened.empty()) return fail(Code::invalid, failure);
  return opened;
}

Result<std::vector<Descriptor>> open(const ListenerOptions& listener) {
  constexpr int attempts_max = 8;  // any free port of one address may be taken at another
  auto opened = open_all_of(listener);
  for (int i = 1; i < attempts_max && listener.port == 0 && !opened; ++i)
    opened = open_all_of(listener);
  if (opened || opened.error().field == "host") return opened;
  return tl::unexpected(std::move(opened).error().during(
      fmt::format("listening on {}:{} ({})", listener.host, listener.port, listener.name)));
}

}  // namespace

Result<void> can_resolve(const std::string& host) {
  TRY(resolve_listen({.host = host}));
  return {};
}

Result<void> can_listen(const ListenerOptions& listener) {
  TRY(open(listener));
  return {};
}

namespace {

class ThreadedServer final : public Server {
 public:
  explicit ThreadedServer(const ServerOptions& options)
      : common_{.options = options,
                .rules = {.guard = Guard(Cors(options.cors_origins), options.hosts),
                          .stamps = ResponseStamps(options.clock),
                          .logs_access = options.logs_access},
                .workers = Workers({.threads = options.workers,
                                    .waiting_max = options.workers_queue_max,
                                    .short_work_max = options.short_work_max}),
                .costly = Workers({.threads = 1,
                                   .waiting_max = options.costly_max - 1,
                                   .short_work_max = options.costly_turn_max,
                                   // A thread for each job that has moved to `workers`.
                                   .paused_max = limits::paused_requests_max +
                                                 static_cast<std::size_t>(options.workers),
                                   .long_jobs_pool = &common_.workers}),
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
  common_.acceptor = Loop::make_acceptor(common_);
  for (const ListenerOptions& listener : options.listeners) {
    CHECK(listener.handler != nullptr);
    std::vector<Descriptor> sockets = TRY(open(listener));
    ports_.push_back(port_of(sockets.front()));
    for (Descriptor& socket : sockets) common_.acceptor->listen(std::move(socket), listener);
  }
  return {};
}

void ThreadedServer::run() {
  for (const auto& loop : common_.loops) {
    threads_.emplace_back([&loop] {
      become_prompt_thread("net");
      keep_running("net", [&loop] { loop->run(); });
    });
  }
  threads_.emplace_back([this] {
    become_prompt_thread("net door");
    keep_running("net door", [this] { common_.acceptor->run(); });
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
  add(*common_.acceptor);
  for (const auto& loop : common_.loops) add(*loop);
  return sum;
}

void ThreadedServer::stop() {
  const std::lock_guard lock(stopping_);
  if (!threads_.empty()) {
    common_.is_draining =
        true;  // so that no answer keeps a connection open that the loops will close
    common_.acceptor->drain();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }
  common_.workers.stop();
  common_.costly.stop();
  common_.flusher.stop();
}

}  // namespace

Result<std::unique_ptr<Server>> Server::start(const ServerOptions& options) {
  // If a client disconnects early, write() must fail and not raise a signal.
  std::signal(SIGPIPE, SIG_IGN);
  auto server = std::make_unique<ThreadedServer>(options);
  TRY(server->open_all());
  server->run();
  return server;
}

}  // namespace mayfly::net
