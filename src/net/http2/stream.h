// One stream of HTTP/2: the responder of one request.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "net/http2/exchange.h"
#include "net/http2/session.h"
#include "net/requests/responder.h"

namespace mayfly::net {

// The services of a stream's connection; not available once it is closed. Threads: the loop's.
class Http2StreamOwner {
 public:
  virtual ~Http2StreamOwner() = default;

  virtual Http2Session& session() = 0;
  // Sends the queued frames of the session soon.
  virtual void flush_later() = 0;
  // Closes the connection, because the session is broken.
  virtual void close() = 0;
};

// Owned by its connection until its stream is closed, and by its operations in progress. Threads:
// the loop's.
class Http2Stream final : public Responder {
 public:
  Http2Stream(std::int32_t number, Http2StreamOwner& connection, ConnectionOwner& owner,
              const RequestOrigin& origin);
  ~Http2Stream() override;

  // --- input; proceed() answers it ---
  void add_header(std::string_view name, std::string_view value) {
    exchange_.add_header(name, value);
  }
  void add_body(std::string_view bytes);
  void set_head_complete() { has_head_ = true; }
  void set_complete() { is_whole_ = true; }
  bool is_whole() const { return is_whole_; }
  void proceed();

  Http2Events::Taken take(std::span<char> room);
  void sweep(Instant now) { end_late(now); }
  // The server stops: ends a streamed response.
  void drain();
  // The stream is closed.
  void drop();
  // Whether a worker still works on it.
  bool is_elsewhere() const { return job_ != nullptr; }

 private:
  void make_ready(Response& response) override { exchange_.respond(response); }
  void make_ready(SendQueue::Piece piece) override { exchange_.add_piece(std::move(piece)); }
  bool has_more() const override { return exchange_.has_more(); }
  std::size_t unsent_bytes() const override { return exchange_.unsent_bytes(); }
  bool send() override;
  void advance() override { connection_.flush_later(); }
  std::size_t held_bytes() const override;
  // Not needed: the connection keeps reading.
  void watch_for_close() override {}
  std::optional<Refusal> refuse_conversation() const override;
  // Never called: refuse_conversation() refuses all.
  void begin_conversation(const Response&) override {}
  void close() override;

  void take_head();
  void finish();

  const std::int32_t number_;
  Http2StreamOwner& connection_;
  Http2Exchange exchange_;
  bool has_head_ = false;
  bool is_whole_ = false;
  bool is_submitted_ = false;
};

}  // namespace mayfly::net
