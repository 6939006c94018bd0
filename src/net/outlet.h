// Outlet: what lies between whoever sends to a stream, on any thread, and the connection that takes
// it out on its own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "net/message.h"

namespace mayfly::net {

// Owned by both ends. Threads: any, but for the part of the connection.
class Outlet {
 public:
  // Tells the connection to look, from any thread; not called any more after close().
  using Wake = std::function<void()>;
  // `durability` may be null; it outlives the connection.
  Outlet(const Durability* durability, Wake wake);

  // --- whoever sends: what Stream promises ---
  bool send(std::string piece);
  // The same without its bound, for what the client has asked for and is waiting for.
  bool send_answer(std::string piece);
  void end();
  bool is_open() const;
  std::size_t unsent_bytes() const;
  void when_sent(std::function<void()> act);

  // --- the connection ---
  struct Piece {
    std::string bytes;
    bool is_end = false;
    std::uint64_t mark = 0;  // leaves when this is durable
  };
  // Whether the client was too slow. From here on a change wakes again.
  bool look();
  // What has been sent so far, at once; nothing if there is nothing to do.
  std::optional<Piece> take();
  // All that was taken has left.
  void sent();
  // The client is gone, or has all it will get.
  void close();

 private:
  void wake_once();
  void add(std::string piece);

  const Durability* durability_;
  mutable std::mutex mutex_;  // guards all below
  Wake wake_;                 // null once closed
  std::function<void()> when_sent_;
  std::string waiting_;
  std::size_t taken_bytes_ = 0;
  std::size_t answer_bytes_ = 0;  // of both: those that do not count against the bound
  std::size_t taken_answer_bytes_ = 0;
  std::uint64_t mark_ = 0;
  bool is_ended_ = false;
  bool has_overrun_ = false;
  bool is_woken_ = false;
};

// The end that is given away: letting go of it ends the stream.
std::shared_ptr<Stream> make_stream(std::shared_ptr<Outlet> outlet);

}  // namespace mayfly::net
