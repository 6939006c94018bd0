// A blocking connection to a server on this machine, and HTTP over it.
#pragma once

#include <cstdint>
#include <string>

namespace mayfly::bench {

// Stops the program if the server cannot be reached or disconnects.
class Wire {
 public:
  explicit Wire(std::uint16_t port);
  ~Wire();
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;

  void send(const std::string& text);
  void receive();  // appends available bytes to `in`, or waits for the next ones
  int socket() const { return socket_; }

  std::string in;

 private:
  int socket_ = -1;
};

struct HttpAnswer {
  int status = 0;  // 0: not complete yet
  std::string body;
};
// Takes a complete answer from the front of `in`.
HttpAnswer take_answer(std::string& in);
HttpAnswer call(Wire& wire, const std::string& request);

std::string http_request(const std::string& method, const std::string& target,
                         const std::string& body = "");

// Waits in real time.
void rest(std::int64_t micros);

}  // namespace mayfly::bench
