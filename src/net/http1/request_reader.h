// Takes the bytes of one connection apart into requests. Framing is Beast's; what Beast tolerates
// and two readers might read in two ways (several lengths, a length beside a transfer coding,
// codings we do not know) is refused here.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "net/message.h"
#include "net/requests/refusal.h"

namespace mayfly::net {

// Threads: one connection's.
class RequestReader {
 public:
  enum class State { head, body, complete, refused };

  // Writes into `request`, which outlives it and keeps `peer` and `is_secure` from one request to
  // the next.
  RequestReader(Request& request, std::size_t body_bytes_max);
  ~RequestReader();
  RequestReader(const RequestReader&) = delete;
  RequestReader& operator=(const RequestReader&) = delete;

  // Forgets the request and begins the next.
  void begin();
  // Takes bytes until the request is complete or refused, and tells how many it took. The caller
  // keeps the others and offers them again with what follows.
  std::size_t read(std::string_view bytes);

  State state() const { return state_; }
  // Whether a byte of the request has come.
  bool has_begun() const { return has_begun_; }
  // Whether a head has come, whole and well-formed: all of the request but its body stands.
  bool has_head() const { return has_head_; }
  // In the state `refused`.
  const Refusal& refusal() const { return refusal_; }
  // From the state `body` on: whether the client waits for "100 Continue".
  bool expects_continue() const { return expects_continue_; }
  // Whether the client's head leaves the connection open; false while it has not been read.
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
