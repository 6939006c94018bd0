// Responder: what every protocol does with a request that has come: the loop or a worker answers
// it, its answer waits until it is durable, a response that goes on takes what its stream sends. A
// connection of HTTP/1.1 is one, and so is each stream of HTTP/2.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "base/clock.h"
#include "net/connections/connection.h"
#include "net/requests/in_flight.h"
#include "net/streams/outlet.h"

namespace mayfly::net {

// Owned by its connection or its loop, and by what is under way for it. Threads: the loop's.
class Responder : public std::enable_shared_from_this<Responder> {
 public:
  Responder(const Responder&) = delete;
  Responder& operator=(const Responder&) = delete;
  virtual ~Responder();

  // What was held leaves, if what it shows is durable.
  void release();
  bool is_held() const { return held_.has_value(); }
  // Its stream has something new, has ended, or its client is too slow.
  void go_on();

 protected:
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
    std::size_t bytes = 0;                // at first
    std::size_t unsent_at_sweep = 0;
    std::optional<Instant> swept_at = {};
  };
  struct SendingPiece : Sending {};  // of a response that goes on: the outlet counts it
  struct Streaming {};               // the response goes on, and waits for its next piece
  struct Closed {};
  using Stage = std::variant<Idle, Handshake, Head, Body, Answering, Sending, SendingPiece,
                             Streaming, Lingering, Closed>;

  // A request or message that a worker has, or waits for one. Which of them has begun, the worker
  // or the loop in its stead, has it alone.
  struct Job {
    std::atomic<bool> is_begun = false;
    bool has_costly_place = false;  // which it gives back
  };
  // What a job does. Posts to the loop what follows, and with it the last owner.
  using Work = void (*)(ResponderPtr);

  // The request outlives what is done here.
  Responder(ConnectionOwner& owner, RequestInFlight& request) : owner_(owner), request_(request) {}

  // --- what a protocol does ---

  // Makes the response, or the next piece of it, ready to be sent. Of the first it takes the body,
  // and adds headers.
  virtual void make_ready(Response& response) = 0;
  virtual void make_ready(Outlet::Piece piece) = 0;
  // Whether what has been made ready is not yet the whole response.
  virtual bool goes_on() const = 0;
  virtual std::size_t unsent_bytes() const = 0;
  // Sends what has been made ready, or begins to. True where advance() is to follow.
  virtual bool send() = 0;
  // Looks for what is to be done next.
  virtual void advance() = 0;
  // Memory that it holds for its client, and is to be counted.
  virtual std::size_t held_bytes() const = 0;
  // A worker or a stream has the response. Nothing else may tell that the client leaves.
  virtual void watch_for_close() = 0;
  virtual std::optional<Refusal> refuse_conversation() const = 0;
  virtual void begin_conversation(const Response& response) = 0;
  // No worker has begun in time.
  virtual void refuse_late(const Error& error);
  // The client gets nothing more of the response.
  virtual void close() = 0;

  // --- the stages ---

  // Memory may run out anywhere; then this one ends and the others go on.
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
  // It is Closed from here on: what it holds is given back.
  void enter_closed();

  // --- requests ---

  // Of the head of a request whose body is still to come: what refuses it; nothing where it is to
  // be read on.
  std::optional<Response> refuse_head() const;
  // Some of the body has come. False where it has been refused, for want of memory; then advance()
  // has been called.
  bool note_body();
  // The request is whole. True where advance() is to follow; likewise below.
  bool answer();
  bool has_full_share() const;
  bool is_full() const { return owner_.common().is_full() || has_full_share(); }
  bool respond(Response&& response);
  // A response that shows nothing of what is stored waits for no disk. Nothing may follow it.
  bool tell(Response&& response);
  // Tells why the server does not answer, in the dialect's words.
  bool refuse(const Refusal& refusal);
  void account();
  void count_waiting(bool waits);
  // Whether workers take it.
  bool submit(Work work, Workers& to, std::shared_ptr<Job> job);
  // The same where it is costly. A client that leaves keeps its place until its turn has come.
  bool submit_costly(Work work);
  // By whatever answers, before the client can notice.
  void leave_costly();

  // --- sending ---

  // For us the work is done; from here on it is the client that takes its time.
  void begin_to_send();
  // The client has taken something, but not all.
  void note_taken();
  void close_stream();
  // Ends what has taken too long.
  void end_late(Instant now);

  ConnectionOwner& owner_;
  RequestInFlight& request_;
  Stage stage_;
  Instant deadline_ = Instant::never();  // of the stage
  std::shared_ptr<Job> job_;             // null: nothing is elsewhere
  std::shared_ptr<Outlet> outlet_;       // null unless a response goes on
  std::size_t accounted_bytes_ = 0;      // of the memory that all connections share
  std::atomic<bool> is_gone_ = false;    // Closed, for workers
  std::atomic<bool> is_lost_ = false;    // a worker could not bring the answer

 private:
  // What is to be sent waits for the disk.
  struct Held {
    std::uint64_t mark = 0;
    Instant until = Instant::never();
  };

  bool refuse_for_overload(const Error& why);
  std::optional<Response> answer_without_waiting() const;
  Response answer_late() const;
  void answer_elsewhere(ResponderPtr self);
  bool make_ready_in_share(Response& response);
  bool refuse_uncertain(const char* why);
  bool is_short_of_memory() const;
  bool give_up_waiting(Instant now);
  void give_up();
  bool leaves_slowly(Sending& stage, Instant now) const;
  bool is_kept_from_others(Instant now);
  void refuse_what_cannot_go_on(Response& response);
  void open_stream(const Response& response);
  bool leave_or_hold(std::uint64_t mark);
  void hold(Held held);

  std::optional<Held> held_;
  bool is_waiting_ = false;  // counted as such
};

}  // namespace mayfly::net
