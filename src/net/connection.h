// One connection on its loop: when bytes are read, who answers, when the answer may leave, when it
// is too late.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "base/clock.h"
#include "net/exchange.h"
#include "net/loop.h"
#include "net/outlet.h"
#include "net/transport.h"
#include "net/websocket.h"

namespace mayfly::net {

class Connection;

// What a connection asks of the loop that owns it. Threads: the loop's.
class ConnectionOwner {
 public:
  virtual ~ConnectionOwner() = default;

  virtual Common& common() = 0;
  virtual boost::asio::io_context& context() = 0;
  virtual bool is_draining() const = 0;
  // The deadline of what begins now; may be a little late, never early.
  virtual Instant deadline_after(Span time_max) const = 0;
  virtual void remove(Connection& connection) = 0;
  // Whether a request is for another loop to answer; pass_on() gives it what there is, and removes.
  virtual bool passes_on() const = 0;
  virtual void pass_on(Connection& connection, IncomingConnection incoming) = 0;
  // Calls go_on() of the connection, soon. Threads: any.
  virtual void wake(std::weak_ptr<Connection> connection) = 0;
  // Keeps a response until `mark` is durable, then calls release().
  virtual void hold(std::shared_ptr<Connection> connection, std::uint64_t mark) = 0;
  virtual void count_request() = 0;
  virtual void count_refusal() = 0;
  virtual void count_overload() = 0;  // beside count_refusal()
  virtual void count_overrun() = 0;
  virtual void count_handshake() = 0;
  virtual void count_handshake_failure() = 0;
};

// Owned by its loop and by whatever is under way for it. Threads: the loop's.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  // Takes the socket over, or gives null where the kernel does not let it.
  static std::shared_ptr<Connection> open(ConnectionOwner& owner, IncomingConnection incoming);
  // For open() only: the socket is still to be taken over.
  Connection(ConnectionOwner& owner, const TlsContext* offers, std::unique_ptr<Exchange> exchange);
  ~Connection();

  void start();
  // A request has come already, with what was accepted.
  void start_with_request();
  // The same, but its body is still to come.
  void start_with_head();
  // The client has begun to speak TLS, with what was accepted.
  void start_with_handshake();
  // Ends what has taken too long.
  void sweep(Instant now);
  // The next request, or that which is under way, is the last. A response that goes on ends.
  void drain();
  // Some time later: ends it where no request has come.
  void end_if_idle();
  void close();
  // Of the client; not once it has been passed on.
  const std::string& network() const { return exchange_->network(); }
  // What was held leaves, if what it shows is durable.
  void release();
  bool is_held() const { return held_.has_value(); }
  // Its stream has something new, has ended, or its client is too slow.
  void go_on();

  // --- the transport's ---
  void has_read(Moved moved);
  void may_write();
  void may_read(bool is_failed);
  void hands_may_go_on();

  std::size_t place = 0;  // in the owner's list

 private:
  // The stages, each with what only it knows. A deadline stands from the first byte of what it is
  // for.
  struct Idle {};  // no byte of a request has come
  struct Handshake {};
  struct Head {};
  struct Body {
    std::size_t bytes_kept_up = 0;  // when its deadline was last put off
    std::size_t bytes_at_sweep = 0;
  };
  struct Answering {};  // here or elsewhere, or the answer waits for the disk
  struct Sending {
    std::optional<Instant> sent_by = {};  // when all of it must have left
    std::size_t unsent_at_sweep = 0;
  };
  struct SendingPiece : Sending {};  // of a response that goes on: the outlet counts it
  struct Streaming {};               // the response goes on, and waits for its next piece
  struct Lingering {
    Instant ends_by;  // though the client goes on sending
    std::size_t bytes = 0;
  };
  struct Closed {};
  using Stage = std::variant<Idle, Handshake, Head, Body, Answering, Sending, SendingPiece,
                             Streaming, Lingering, Closed>;

  // A request or message that a worker has, or waits for one. Which of them has begun, the worker
  // or the loop in its stead, has it alone.
  struct Job {
    std::atomic<bool> is_begun = false;
    bool has_costly_place = false;  // which it gives back
  };

  // What is to be sent waits for the disk.
  struct Held {
    std::uint64_t mark = 0;
    Instant until = Instant::never();
  };

  // Memory may run out anywhere; then this connection ends and the others go on.
  template <class Act>
  void guarded(Act act) {
    if (is<Closed>()) return;
    try {
      act();
    } catch (const std::exception&) {
      close();
    }
  }
  template <class S>
  bool is() const {
    return std::holds_alternative<S>(stage_);
  }
  // Null pointer in any other stage.
  template <class S>
  S* in() {
    return std::get_if<S>(&stage_);
  }
  Sending* sending() { return is<SendingPiece>() ? in<SendingPiece>() : in<Sending>(); }
  void enter(Stage stage, Span time_max);
  void enter_without_deadline(Stage stage);
  void rest();
  void read();
  void on_read(Moved moved);
  bool begins_tls(std::size_t bytes);
  void shake_hands();
  void advance(std::size_t bytes);
  bool take_head();
  bool note_progress();
  bool note_body();
  bool answer();
  std::optional<Response> answer_without_waiting() const;
  bool pass_on();
  bool has_full_share() const;
  bool is_idle_and_short() const;
  bool refuse_for_overload(const Error& why);
  void count_waiting(bool waits);
  void account();
  Response answer_late() const;
  using Work = void (Connection::*)(std::shared_ptr<Connection>);
  bool submit(Work work, Workers& to, std::shared_ptr<Job> job);
  bool submit_costly(Work work);
  void leave_costly();
  void answer_elsewhere(std::shared_ptr<Connection> self);
  bool give_up_waiting(Instant now);
  bool respond(Response&& response);
  bool tell(Response&& response);
  bool may_stream() const;
  void refuse_what_cannot_go_on(Response& response);
  void open_stream(const Response& response);
  void close_stream();
  void converse();
  void listen_meanwhile();
  bool take_message();
  bool take_costly_message();
  bool answer_received();
  void answer_in_time();
  bool parse_large();
  void count_parsed(std::size_t bytes);
  void answer_message(ConnectionPtr self);
  void answer_costly_message(ConnectionPtr self);
  void end_conversation();
  bool keeps_talking(Instant now);
  void watch_for_close();
  void on_readable();
  bool leave_or_hold(std::uint64_t mark);
  void hold(Held held);
  void give_up();
  bool send();
  bool finish();
  void begin_to_linger();
  Span quiet_max() const;
  void linger();

  ConnectionOwner& owner_;
  Transport transport_;
  const TlsContext* offers_;            // until the client's first byte has come; null: plain only
  std::unique_ptr<Exchange> exchange_;  // null once it has been passed on
  std::shared_ptr<Outlet> outlet_;      // null unless a response goes on
  std::unique_ptr<WebSocket> websocket_;  // the same, unless it is a conversation
  Stage stage_;
  Instant deadline_ = Instant::never();  // of the stage
  std::shared_ptr<Job> job_;             // null: nothing is elsewhere
  std::optional<Held> held_;
  std::size_t accounted_bytes_ = 0;  // of the memory that all connections share
  std::size_t parsed_bytes_ = 0;     // the same, of a message that a worker has parsed
  bool is_reading_ = false;
  bool is_watching_ = false;           // for the client's leaving, while nothing is read
  bool is_waiting_ = false;            // counted as such
  std::atomic<bool> is_gone_ = false;  // Closed, for workers
  std::atomic<bool> is_lost_ = false;  // a worker could not bring the answer
};

}  // namespace mayfly::net
