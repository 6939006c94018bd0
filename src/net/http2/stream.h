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

// What a stream asks of its connection; not once it is closed. Threads: the loop's.
class Http2StreamOwner {
 public:
  virtual ~Http2StreamOwner() = default;

  virtual Http2Session& session() = 0;
  // What the session has to send is sent, soon.
  virtual void flush_later() = 0;
  // The session is of no more use.
  virtual void close() = 0;
};

// Owned by its connection until its stream is over, and by what is under way for it. Threads: the
// loop's.
class Http2Stream final : public Responder {
 public:
  Http2Stream(std::int32_t number, Http2StreamOwner& connection, ConnectionOwner& owner,
              const Origin& origin);
  ~Http2Stream() override;

  // --- what has arrived; proceed() answers it ---
  void add_header(std::string_view name, std::string_view value) {
    exchange_.add_header(name, value);
  }
  void add_body(std::string_view bytes);
  void note_head() { has_head_ = true; }
  void note_whole() { is_whole_ = true; }
  bool is_whole() const { return is_whole_; }
  void proceed();

  Http2Events::Taken take(std::span<char> room);
  void sweep(Instant now) { end_late(now); }
  // The server stops: a response that goes on ends.
  void drain();
  // The stream is over.
  void drop();
  // Whether a worker has it still.
  bool is_elsewhere() const { return job_ != nullptr; }

 private:
  void make_ready(Response& response) override { exchange_.respond(response); }
  void make_ready(Outlet::Piece piece) override { exchange_.go_on(std::move(piece)); }
  bool goes_on() const override { return exchange_.goes_on(); }
  std::size_t unsent_bytes() const override { return exchange_.unsent_bytes(); }
  bool send() override;
  void advance() override { connection_.flush_later(); }
  std::size_t held_bytes() const override;
  // The connection reads on.
  void watch_for_close() override {}
  std::optional<Refusal> refuse_conversation() const override;
  // None is.
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
