// Parses the bytes of one connection into requests. Beast does the framing. This refuses what Beast
// accepts although two readers might interpret it differently: several lengths, a length beside a
// transfer coding, unknown codings.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "net/message.h"
#include "net/requests/refusal.h"

namespace mayfly::net {

// Threads: that of the connection.
class RequestReader {
 public:
  enum class State { head, body, complete, refused };

  // Writes into `request`, which outlives it. `peer` and `is_secure` stay the same for all
  // requests.
  RequestReader(Request& request, std::size_t body_bytes_max);
  ~RequestReader();
  RequestReader(const RequestReader&) = delete;
  RequestReader& operator=(const RequestReader&) = delete;

  // Discards the request and begins the next.
  void begin();
  // Reads bytes until the request is complete or refused, and returns how many it read. The caller
  // passes the others again, followed by later bytes.
  std::size_t read(std::string_view bytes);

  State state() const { return state_; }
  // Whether a byte of the request has arrived.
  bool has_begun() const { return has_begun_; }
  // Whether a complete, well-formed head has arrived: the request is set except for its body.
  bool has_head() const { return has_head_; }
  // In the state `refused`.
  const Refusal& refusal() const { return refusal_; }
  // From the state `body` on: whether the client waits for "100 Continue".
  bool expects_continue() const { return expects_continue_; }
  // Whether the client keeps the connection open; false before the head has been read.
  bool keeps_alive() const;
  bool is_http_1_0() const;

 private:
  class Parser;

  std::size_t read_some(std::string_view bytes);
  void refuse(Refusal refusal);
  void end_head();
  void finish();

  Request& request_;
  std::size_t body_bytes_max_;
  std::unique_ptr<Parser> parser_;
  State state_ = State::head;
  Refusal refusal_;
  std::size_t head_bytes_ = 0;
  bool has_begun_ = false;
  bool has_head_ = false;
  std::optional<Error> target_error_;
  bool expects_continue_ = false;
  bool needs_more_ = false;
};

}  // namespace mayfly::net
