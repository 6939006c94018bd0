// SendQueue: the queue between the threads that send to a stream and the connection that sends its
// pieces to the client.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/limits.h"
#include "net/message.h"
#include "net/streams/shared_text.h"

namespace mayfly::net {

// How a connection counts what it keeps in the memory that all connections share. Threads: any. Not
// called after SendQueue::close().
struct SharedMemory {
  // Counts more bytes for the client and for all clients. A text that is queued for several clients
  // counts for all only once. False if that exceeds the bound; it is counted all the same.
  std::function<bool(std::size_t of_client, std::size_t of_all)> add;
  std::function<void(std::size_t of_client, std::size_t of_all)> remove;
};

// Runs it on a worker. Not called after SendQueue::close().
using RunOnWorker = std::function<bool(std::function<void()>)>;

// Owned by both ends. Threads: any, except for the connection's part.
class SendQueue {
 public:
  // Wakes the connection, from any thread. Not called after close().
  using Wake = std::function<void()>;
  // `durability` may be null; it outlives the connection. A client is too slow if more than
  // `unsent_bytes_max` would be queued for it.
  SendQueue(const Durability* durability, Wake wake, SharedMemory memory, RunOnWorker run_on_worker,
            std::size_t unsent_bytes_max = limits::stream_unsent_bytes_max);

  // --- for the sender, as Stream specifies. If there is no memory for a piece, the client counts
  // as too slow ---
  bool send(std::string piece);
  // Sends the piece before all queued ones, also before those that wait for the disk: for pieces
  // that show no stored data. False also if there is no memory for it: then it is dropped, and the
  // stream stays open.
  bool send_first(std::string piece);
  // One piece in three parts.
  bool send_shared(std::string begin, const SharedText& shared, std::string end);
  // Sends a piece that the client has requested, without the bound of one client. If there is no
  // memory for it, as send_first().
  bool send_answer(std::string piece);
  void end();
  // Treats the client as too slow.
  void give_up();
  bool is_open() const;
  std::size_t unsent_bytes() const;
  void when_sent(std::function<void()> act);
  bool work(std::function<void()> make);

  // --- for the connection ---
  struct Piece {
    std::string bytes;
    SharedText shared = {};  // follows them; may be null
    bool is_end = false;
    std::uint64_t watermark = 0;  // it is sent when this is durable
    bool must_wait = false;       // it is not durable yet: nothing was taken
  };
  // Acknowledges a wake-up, so the next change wakes again. Returns whether the client was too
  // slow.
  bool acknowledge_wake();
  // Takes the next piece; empty if there is nothing to do. The piece stays counted. `durable`: the
  // durability watermark.
  std::optional<Piece> take(std::uint64_t durable);
  // The taken piece has been sent.
  void sent();
  // The client has disconnected, or has received everything.
  void close();

 private:
  struct Part {
    std::string own;
    SharedText shared = {};  // follows it; may be null
    std::size_t answer_bytes = 0;
    bool is_begun = false;     // the next part ends this piece
    bool is_complete = false;  // nothing may be added to it
    std::uint64_t watermark = 0;

    std::size_t bytes() const { return own.size() + (shared ? shared->text().size() : 0); }
  };

  bool accepts_pieces() const { return wake_ && !is_ended_ && !has_overrun_; }
  bool reserve(std::size_t bytes);
  Piece take_first();
  bool would_overrun(std::size_t bytes) const;
  void overrun();
  void wake_once();
  void add(std::string piece, std::size_t answer_bytes);
  void add_end(std::string end, std::uint64_t watermark);
  bool count_own(std::size_t bytes);
  bool count(const SharedBytes& shared);
  void discount(const SharedBytes& shared);
  void drop_waiting();

  const Durability* durability_;
  const std::size_t unsent_bytes_max_;
  mutable std::mutex mutex_;  // guards all below
  Wake wake_;                 // null once closed
  SharedMemory memory_;
  const RunOnWorker run_on_worker_;
  std::function<void()> when_sent_;
  std::string first_;  // sent before the others
  std::deque<Part> waiting_;
  std::size_t waiting_bytes_ = 0;  // of first_ and waiting_
  Part taken_;                     // without `own`, which the connection has
  bool taken_is_begun_ = false;    // its end must be taken next
  std::size_t taken_own_bytes_ = 0;
  std::size_t taken_bytes_ = 0;
  std::size_t own_bytes_ = 0;      // not shared bytes of what waits and what is taken
  std::size_t counted_bytes_ = 0;  // of own_bytes_, in the shared memory
  std::size_t answer_bytes_ = 0;   // those that do not count against the bound
  bool is_ended_ = false;
  bool has_overrun_ = false;
  bool is_woken_ = false;
};

// The sender's end: destroying it ends the stream.
std::shared_ptr<Stream> make_stream(std::shared_ptr<SendQueue> send_queue);

}  // namespace mayfly::net
