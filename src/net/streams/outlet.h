// Outlet: what lies between whoever sends to a stream, on any thread, and the connection that takes
// it out on its own.
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

// The memory that all connections share, as one of them counts what it keeps there. Both from any
// thread; not called any more after Outlet::close().
struct SharedMemory {
  // Counts so much more for the client and for all; what several clients wait for is there for all
  // only once. False where that is more than there is: it is counted all the same.
  std::function<bool(std::size_t of_client, std::size_t of_all)> add;
  std::function<void(std::size_t of_client, std::size_t of_all)> remove;
};

// Runs it on a worker. Not called any more after Outlet::close().
using RunOnWorker = std::function<bool(std::function<void()>)>;

// Owned by both ends. Threads: any, but for the part of the connection.
class Outlet {
 public:
  // Tells the connection to look, from any thread; not called any more after close().
  using Wake = std::function<void()>;
  // `durability` may be null; it outlives the connection. A client for which more than
  // `unsent_bytes_max` would wait is too slow.
  Outlet(const Durability* durability, Wake wake, SharedMemory memory, RunOnWorker run_on_worker,
         std::size_t unsent_bytes_max = limits::stream_unsent_bytes_max);

  // --- whoever sends: what Stream promises. Where there is no memory for a piece, the client is
  // one that is too slow ---
  bool send(std::string piece);
  // Before what waits, also before what waits for the disk: for what shows nothing that is stored.
  // False also where there is no memory for it: then it goes nowhere, and the stream stays open.
  bool send_first(std::string piece);
  // One piece in three parts.
  bool send_shared(std::string begin, const SharedText& shared, std::string end);
  // Without the bound of one client, for what it has asked for and is waiting for. Where there is
  // no memory for it, as send_first().
  bool send_answer(std::string piece);
  void end();
  // Treats the client as one that is too slow.
  void give_up();
  bool is_open() const;
  std::size_t unsent_bytes() const;
  void when_sent(std::function<void()> act);
  bool work(std::function<void()> make);

  // --- the connection ---
  struct Piece {
    std::string bytes;
    SharedText shared = {};  // follows them; may be null
    bool is_end = false;
    std::uint64_t mark = 0;  // it leaves when this is durable
    bool must_wait = false;  // which it is not yet: nothing was taken
  };
  // Whether the client was too slow. From here on a change wakes again.
  bool look();
  // What comes next of what has been sent; nothing if there is nothing to do. It stays counted.
  // `durable`: the mark of what is on disk.
  std::optional<Piece> take(std::uint64_t durable);
  // All that was taken has left.
  void sent();
  // The client is gone, or has all it will get.
  void close();

 private:
  struct Part {
    std::string own;
    SharedText shared = {};  // follows it; may be null
    std::size_t answer_bytes = 0;
    bool is_begun = false;     // the next part ends what this one begins
    bool is_complete = false;  // nothing is added to it
    std::uint64_t mark = 0;

    std::size_t bytes() const { return own.size() + (shared ? shared->text().size() : 0); }
  };

  bool is_taken_in() const { return wake_ && !is_ended_ && !has_overrun_; }
  bool admits(std::size_t bytes);
  Piece take_first();
  bool would_overrun(std::size_t bytes) const;
  void overrun();
  void wake_once();
  void add(std::string piece, std::size_t answer_bytes);
  void add_end(std::string end, std::uint64_t mark);
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
  std::string first_;  // leaves before the others
  std::deque<Part> waiting_;
  std::size_t waiting_bytes_ = 0;  // of both
  Part taken_;                     // without its own bytes, which the connection has
  bool taken_is_begun_ = false;    // its end is still to be taken: nothing may come before that
  std::size_t taken_own_bytes_ = 0;
  std::size_t taken_bytes_ = 0;
  std::size_t own_bytes_ = 0;      // of what waits and what is taken: what is not shared
  std::size_t counted_bytes_ = 0;  // of them
  std::size_t answer_bytes_ = 0;   // of both: those that do not count against the bound
  bool is_ended_ = false;
  bool has_overrun_ = false;
  bool is_woken_ = false;
};

// The end that is given away: letting go of it ends the stream.
std::shared_ptr<Stream> make_stream(std::shared_ptr<Outlet> outlet);

}  // namespace mayfly::net
