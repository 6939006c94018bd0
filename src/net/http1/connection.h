// A connection of HTTP/1.1 on its loop: reading, the order of requests, and WebSocket
// conversations. Every connection begins as one; its first bytes may show another protocol.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "net/connections/connection.h"
#include "net/http1/exchange.h"
#include "net/requests/responder.h"
#include "net/websocket/websocket.h"

namespace mayfly::net {

// Requests are answered one after the other, so the connection is the responder of each. Threads:
// the loop's.
class Http1Connection final : public Connection, public Responder {
 public:
  Http1Connection(ConnectionOwner& owner, const TlsContext* offers,
                  std::unique_ptr<Http1Exchange> exchange);
  ~Http1Connection() override;

  void start() override;
  void sweep(Instant now) override;
  void drain() override;
  void end_if_idle() override;
  void close() override;
  const std::string& network() const override { return exchange_->network(); }

  void has_read(IoResult moved) override;
  void may_read(bool is_failed) override;
  void may_write() override;
  void may_continue_handshake() override;

 private:
  // --- overrides of Responder ---
  void make_ready(Response& response) override;
  void make_ready(SendQueue::Piece piece) override;
  bool has_more() const override { return exchange_->has_more(); }
  std::size_t unsent_bytes() const override { return exchange_->unsent_bytes(); }
  bool send() override;
  void advance() override { advance(0); }
  std::size_t held_bytes() const override;
  void watch_for_close() override;
  std::optional<Refusal> refuse_conversation() const override;
  void begin_conversation(const Response& response) override;
  void refuse_late(const Error& error) override;

  SocketUserPtr self() { return {shared_from_this(), this}; }
  void rest();
  void read();
  void on_read(IoResult moved);
  void begin(std::size_t bytes);
  void begin_tls(std::string_view begun);
  void shake_hands();
  void advance(std::size_t bytes);
  bool take_head();
  bool answer_or_hand_over();
  bool update_deadline();
  bool send_continue();
  void hand_over(Protocol protocol);
  void on_readable();
  bool finish();
  void begin_to_linger();
  void linger();

  // --- conversations ---
  void converse();
  void listen_meanwhile();
  bool take_message();
  bool take_costly_message();
  bool answer_received();
  void answer_in_time();
  bool parse_large();
  void count_parsed(std::size_t bytes);
  void answer_message(ResponderPtr self);
  void answer_costly_message(ResponderPtr self);
  void end_conversation();
  bool keeps_talking(Instant now);

  const TlsContext* offers_;                 // null: plain only
  std::unique_ptr<Http1Exchange> exchange_;  // null once it has moved to another loop
  std::unique_ptr<WebSocket> websocket_;     // null unless the response is a conversation
  std::size_t parsed_bytes_ = 0;             // of the message that a worker has parsed
  bool has_begun_ = false;                   // the first bytes have shown the protocol
  bool is_reading_ = false;
  bool is_watching_ = false;  // for the client to disconnect, while nothing is read
};

}  // namespace mayfly::net
