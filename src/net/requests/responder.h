// Responder: processes a request of any protocol. The loop or a worker answers it, its answer waits
// until it is durable, and a streamed response continues with what its stream sends. A connection
// of HTTP/1.1 is one, and so is each stream of HTTP/2.
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
#include "net/streams/send_queue.h"

namespace mayfly::net {

// Owned by its connection or its loop, and by its operations in progress. Threads: the loop's.
class Responder : public std::enable_shared_from_this<Responder> {
 public:
  Responder(const Responder&) = delete;
  Responder& operator=(const Responder&) = delete;
  virtual ~Responder();

  // Sends the held response, if what it shows is durable.
  void release();
  bool is_held() const { return held_.has_value(); }
  // Its stream has new data, has ended, or its client is too slow.
  void continue_stream();

 protected:
  // The stages, each with its own data. A deadline begins with the first byte of its stage.
  struct Idle {};  // no byte of a request has arrived
  struct Handshake {};
  struct Head {};
  struct Body {
    std::size_t bytes_kept_up = 0;  // when its deadline was last extended
    std::size_t bytes_at_sweep = 0;
  };
  struct Answering {};  // by the loop or a worker, or the answer waits for the disk
  struct Sending {
    std::optional<Instant> sent_by = {};  // when all of it must have been sent
    std::size_t bytes = 0;                // at first
    std::size_t unsent_at_sweep = 0;
    std::optional<Instant> swept_at = {};
  };
  struct SendingPiece : Sending {};  // of a streamed response: the send queue counts it
  struct Streaming {};               // a streamed response waits for its next piece
  struct Closed {};
  using Stage = std::variant<Idle, Handshake, Head, Body, Answering, Sending, SendingPiece,
                             Streaming, Lingering, Closed>;

  // A request or message in the queue of the workers or with a worker. The first to set `is_begun`,
  // the worker or the loop in its place, processes it alone.
  struct Job {
    std::atomic<bool> is_begun = false;
    bool has_costly_slot = false;  // of Common::costly_clients; must be given back
  };
  // The work of a job. It posts the next step to the loop, and with it the last reference to the
  // responder.
  using Work = void (*)(ResponderPtr);

  // The request outlives this object's operations.
  Responder(ConnectionOwner& owner, RequestInFlight& request) : owner_(owner), request_(request) {}

  // --- implemented by each protocol ---

  // Prepares the response, or its next piece, to be sent. Moves the body out of the response, and
  // adds headers.
  virtual void make_ready(Response& response) = 0;
  virtual void make_ready(SendQueue::Piece piece) = 0;
  // Whether the response is streamed and not complete yet.
  virtual bool has_more() const = 0;
  virtual std::size_t unsent_bytes() const = 0;
  // Sends the prepared bytes, or begins to. If true, advance() must be called.
  virtual bool send() = 0;
  // Continues with the next step.
  virtual void advance() = 0;
  // Memory that is held for the client and must be counted.
  virtual std::size_t held_bytes() const = 0;
  // A worker or a stream has the response. Detects that the client disconnects, which nothing else
  // would.
  virtual void watch_for_close() = 0;
  virtual std::optional<Refusal> refuse_conversation() const = 0;
  virtual void begin_conversation(const Response& response) = 0;
  // No worker has started in time.
  virtual void refuse_late(const Error& error);
  // Sends no more of the response to the client.
  virtual void close() = 0;

  // --- the stages ---

  // Memory may run out anywhere; then this connection or stream ends and the others continue.
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
  // Null in any other stage.
  template <class S>
  S* in() {
    return std::get_if<S>(&stage_);
  }
  Sending* sending() { return is<SendingPiece>() ? in<SendingPiece>() : in<Sending>(); }
  void enter(Stage stage, Span time_max);
  void enter_without_deadline(Stage stage);
  // Enters Closed, and releases what it holds.
  void enter_closed();

  // --- requests ---

  // The refusal of a request by its head, if its body has not arrived; empty if the body should be
  // read.
  std::optional<Response> refuse_head() const;
  // A part of the body has arrived. False if the request has been refused for lack of memory; then
  // advance() has been called.
  bool on_body();
  // The request is complete. If true, advance() must be called; the same holds for the members
  // below.
  bool answer();
  bool has_full_share() const;
  bool is_full() const { return owner_.common().is_full() || has_full_share(); }
  bool respond(Response&& response);
  // Sends a response that shows no stored data, so it does not wait for the disk. It must not be
  // streamed.
  bool send_answer(Response&& response);
  // Sends the server's refusal in the dialect's words.
  bool refuse(const Refusal& refusal);
  void account();
  void count_waiting(bool waits);
  // Queues the job. False if the queue is full.
  bool submit(Work work, Workers& to, std::shared_ptr<Job> job);
  // As submit(), for a costly job. If the client disconnects, its costly slot stays taken until the
  // job's turn.
  bool submit_costly(Work work);
  // Gives the costly slot back. Called before the client can see the answer.
  void release_costly_slot();

  // --- sending ---

  // The server's work is done; from here on the client's time counts.
  void begin_to_send();
  // The client has accepted some bytes, but not all.
  void on_client_progress();
  void close_stream();
  // Ends what has exceeded its deadline.
  void end_late(Instant now);

  ConnectionOwner& owner_;
  RequestInFlight& request_;
  Stage stage_;
  Instant deadline_ = Instant::never();            // of the stage
  std::shared_ptr<Job> job_;                       // null: no worker is involved
  std::shared_ptr<SendQueue> send_queue_;          // null unless a response is streamed
  std::size_t accounted_bytes_ = 0;                // of the memory that all connections share
  std::atomic<bool> is_disconnected_ = false;      // Closed, for workers
  std::atomic<bool> has_failed_delivery_ = false;  // a worker could not deliver the answer

 private:
  // A response that waits for the disk.
  struct HeldResponse {
    std::uint64_t watermark = 0;
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
  bool sends_slowly(Sending& stage, Instant now) const;
  bool must_release_memory(Instant now);
  void refuse_impossible_stream(Response& response);
  void open_stream(const Response& response);
  bool send_or_hold(std::uint64_t watermark);
  void hold(HeldResponse held);

  std::optional<HeldResponse> held_;
  bool is_waiting_ = false;  // counted as such
};

}  // namespace mayfly::net
