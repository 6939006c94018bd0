// A connection to a server on this machine that blocks, and HTTP over it.
#pragma once

#include <cstdint>
#include <string>

namespace mayfly::bench {

// Stops the program where the server cannot be reached or goes away.
class Wire {
 public:
  explicit Wire(std::uint16_t port);
  ~Wire();
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;

  void send(const std::string& text);
  void receive();  // what is there, or else comes next, at the end of `in`
  int socket() const { return socket_; }

  std::string in;

 private:
  int socket_ = -1;
};

struct HttpAnswer {
  int status = 0;  // 0: not whole yet
  std::string body;
};
// Takes a whole answer from the front of `in`.
HttpAnswer take_answer(std::string& in);
HttpAnswer call(Wire& wire, const std::string& request);

std::string http_request(const std::string& method, const std::string& target,
                         const std::string& body = "");

// Waits so long. The benchmark is of the real world: it waits for real.
void rest(std::int64_t micros);

}  // namespace mayfly::bench
