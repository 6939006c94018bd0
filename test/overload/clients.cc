#include "overload/clients.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <queue>
#include <vector>

#include "base/check.h"

namespace mayfly::overload {

int connect_to(std::uint16_t port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    ::close(socket);
    return -1;
  }
  const int yes = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return socket;
}

namespace {

struct Answer {
  int status = 0;
  std::int64_t retry_after_seconds = -1;  // -1: no such header
};

std::int64_t number_of(const std::string& head, const char* name, std::int64_t otherwise) {
  const auto at = head.find(name);
  if (at == std::string::npos) return otherwise;
  return std::atoll(head.c_str() + at + std::char_traits<char>::length(name));
}

// Takes the answer at the front of `in`; status 0 if it is not complete yet.
Answer take_answer(std::string& in) {
  const std::size_t head_end = in.find("\r\n\r\n");
  if (head_end == std::string::npos) return {};
  std::string head = in.substr(0, head_end + 2);
  std::transform(head.begin(), head.end(), head.begin(), ::tolower);
  const auto length = number_of(head, "\r\ncontent-length:", 0);
  const std::size_t whole = head_end + 4 + static_cast<std::size_t>(length);
  if (in.size() < whole) return {};
  in.erase(0, whole);
  return {std::atoi(head.c_str() + 9), number_of(head, "\r\nretry-after:", -1)};
}

class Swarm {
 public:
  explicit Swarm(const Clients& asked)
      : asked_(asked), all_(static_cast<std::size_t>(asked.connections)), poll_(epoll_create1(0)) {}
  ~Swarm() {
    for (const Client& client : all_) {
      if (client.socket >= 0) ::close(client.socket);
    }
    ::close(poll_);
  }

  Outcome run() {
    const Instant began = monotonic_now();
    end_ = began + asked_.span;
    for (std::size_t i = 0; i < all_.size(); ++i) begin(i);
    while (monotonic_now() < end_) turn();
    const double seconds = double((monotonic_now() - began).micros) / 1e6;
    std::sort(millis_.begin(), millis_.end());
    outcome_.accepted_per_second = double(outcome_.accepted) / seconds;
    outcome_.p50_millis = quantile(0.5);
    outcome_.p99_millis = quantile(0.99);
    return outcome_;
  }

 private:
  struct Client {
    int socket = -1;
    std::string in;
    Instant asked_at;
  };
  struct Resting {
    Instant until;
    std::size_t client;
    bool operator>(const Resting& other) const { return until > other.until; }
  };

  void begin(std::size_t i) {
    Client& client = all_[i];
    if (client.socket < 0) {
      client.socket = connect_to(asked_.port);
      if (client.socket < 0) return rest(i, Span::millis(100));
      client.in.clear();
      epoll_event event{.events = EPOLLIN, .data = {.u64 = i}};
      epoll_ctl(poll_, EPOLL_CTL_ADD, client.socket, &event);
    }
    const std::string request = asked_.next_request();
    client.asked_at = monotonic_now();
    // Requests are small compared with the kernel's buffers, so a partial write means that the
    // client is disconnected.
    const ssize_t n = ::send(client.socket, request.data(), request.size(), MSG_NOSIGNAL);
    if (n != static_cast<ssize_t>(request.size())) lose(i);
  }

  void lose(std::size_t i) {
    ++outcome_.disconnected;
    ::close(all_[i].socket);
    all_[i].socket = -1;
    rest(i, Span::millis(100));
  }

  void rest(std::size_t i, Span span) { resting_.push({monotonic_now() + span, i}); }

  void turn() {
    Instant now = monotonic_now();
    while (!resting_.empty() && resting_.top().until <= now) {
      const std::size_t i = resting_.top().client;
      resting_.pop();
      begin(i);
    }
    epoll_event events[256];
    const int ready = epoll_wait(poll_, events, 256, 10);
    for (int i = 0; i < ready; ++i) receive(events[i].data.u64);
  }

  void receive(std::size_t i) {
    Client& client = all_[i];
    char buffer[64 << 10];
    const ssize_t n = ::recv(client.socket, buffer, sizeof buffer, 0);
    if (n <= 0) return lose(i);
    client.in.append(buffer, static_cast<std::size_t>(n));
    const Answer answer = take_answer(client.in);
    if (answer.status == 0) return;
    count(answer, client);
    const bool is_refused = answer.status == 429 || answer.status == 503;
    if (is_refused && asked_.heed_retry_after && answer.retry_after_seconds > 0) {
      return rest(i, Span::seconds(answer.retry_after_seconds));
    }
    begin(i);
  }

  void count(const Answer& answer, const Client& client) {
    if (answer.status == 429 || answer.status == 503) {
      ++outcome_.refused;
      if (answer.retry_after_seconds < 0) ++outcome_.refused_unclearly;
    } else if (answer.status >= 200 && answer.status < 300) {
      ++outcome_.accepted;
      millis_.push_back(double((monotonic_now() - client.asked_at).micros) / 1e3);
    } else {
      ++outcome_.wrong;
    }
  }

  double quantile(double q) const {
    if (millis_.empty()) return 0;
    return millis_[static_cast<std::size_t>(q * double(millis_.size() - 1))];
  }

  const Clients& asked_;
  std::vector<Client> all_;
  int poll_;
  Instant end_;
  Outcome outcome_;
  std::vector<double> millis_;
  std::priority_queue<Resting, std::vector<Resting>, std::greater<>> resting_;
};

}  // namespace

int ask(int socket, const std::string& request) {
  const timeval read_timeout{5, 0};
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &read_timeout, sizeof read_timeout);
  if (::send(socket, request.data(), request.size(), MSG_NOSIGNAL) <= 0) return 0;
  std::string in;
  char buffer[16 << 10];
  for (;;) {
    const ssize_t n = ::recv(socket, buffer, sizeof buffer, 0);
    if (n <= 0) return 0;
    in.append(buffer, static_cast<std::size_t>(n));
    if (const Answer answer = take_answer(in); answer.status != 0) return answer.status;
  }
}

Outcome run(const Clients& clients) {
  return Swarm(clients).run();
}

}  // namespace mayfly::overload
