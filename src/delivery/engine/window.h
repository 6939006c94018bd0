// Window: the messages of one subscription that were read and not yet delivered. It says which may
// be sent now, and up to which position all are done.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "delivery/message.h"

namespace mayfly::delivery {

// Threads: one at a time.
class Window {
 public:
  using Number = std::uint64_t;  // of a message, in the order of arrival
  struct Item {
    MessagePtr message;
    std::int64_t attempts = 0;  // those that count
    // How many messages the target had taken before this one's last failure, or before its first
    // attempt.
    std::optional<std::uint64_t> taken_before = {};
    bool is_dead_letter = false;  // sent again: its position has been passed already
    bool is_under_way = false;
    Instant next = Instant::beginning();      // it is not sent before
    Instant asked_at = Instant::beginning();  // the LogRow::asked_at that was applied
  };

  // Empty; events up to `read` have been read.
  explicit Window(FeedPosition read) : read_(read) {}

  bool has_room() const;
  std::size_t bytes() const { return bytes_; }  // of payloads and places
  // `attempts`: those that have counted already. The message is not sent before `next`.
  void add(MessagePtr message, std::int64_t attempts = 0, Instant next = Instant::beginning(),
           Instant asked_at = Instant::beginning());
  void add_dead_letter(MessagePtr message, std::int64_t attempts = 0,
                       Instant next = Instant::beginning(),
                       Instant asked_at = Instant::beginning());
  bool has_dead_letter(const std::string& id) const { return letters_.contains(id); }
  // Says that all events up to `through` are in the window or do not concern it.
  void set_read(FeedPosition through) { read_ = through; }
  FeedPosition read() const { return read_; }
  // The position up to which all messages are done.
  FeedPosition done() const;
  // The positions of messages that are not done, each once, in order.
  std::vector<FeedPosition> left() const;

  // A message that may be sent now: the first of its document, and of these the one that has been
  // due for longest. nullopt if there is none.
  std::optional<Number> next(Instant now) const;
  // When the next message is due, unless an attempt in flight ends before; never(): there is none.
  Instant next_due() const;
  const Item& item(Number number) const { return items_.at(number); }
  const std::map<Number, Item>& items() const { return items_; }
  // `taken`: how many messages the target has taken so far, as below.
  void begin(Number number, std::uint64_t taken);
  // Records a failed attempt; the next one is at `at`. Gives how many attempts have counted,
  // including this one if `counts`.
  std::int64_t postpone(Number number, Instant at, bool counts, std::uint64_t taken);
  // Sets its number of attempts and makes it due at `next`. A message in flight is not changed.
  void reschedule(Number number, std::int64_t attempts, Instant next, Instant asked_at);
  // Gives up the message: it counts as done, and the next one of its document waits until finish().
  const Item& give_up(Number number);
  // Removes the message and gives it: it was delivered, or its outcome is stored.
  Item finish(Number number);

  std::size_t size() const { return items_.size(); }
  // Commit instant of the first message that is not done; never() if all are.
  Instant oldest() const;
  std::size_t under_way() const { return under_way_; }

 private:
  void insert(Item item);
  void make_ready(Number number);
  void end_attempt(Item& item);

  FeedPosition read_;
  std::map<Number, Item> items_;
  std::unordered_map<Bytes, std::vector<Number>> documents_;  // messages by document, in order
  std::set<std::pair<Instant, Number>> ready_;  // first of their document, not in flight
  std::set<Number> position_holders_;           // those that hold back the position
  std::set<std::string> letters_;
  std::size_t bytes_ = 0;
  std::size_t under_way_ = 0;
  Number numbers_ = 0;
};

}  // namespace mayfly::delivery
