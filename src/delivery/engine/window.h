// Window: the messages of one subscription that have been read and not yet been delivered. It says
// which may be sent now, and up to where all are done.
#pragma once

#include <cstdint>
#include <deque>
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
  using Number = std::uint64_t;  // of a message, in the order in which they came
  struct Item {
    MessagePtr message;
    std::int64_t attempts = 0;  // that count
    // Messages that the target had taken before the last failure, or the first attempt.
    std::optional<std::uint64_t> taken_before = {};
    bool is_dead_letter = false;  // sent again: its place is behind
    bool is_under_way = false;
    Instant next = Instant::beginning();      // it is not sent before
    Instant asked_at = Instant::beginning();  // LogRow::asked_at that was taken up
  };

  // Begins with nothing, read up to there.
  explicit Window(FeedPosition read) : read_(read) {}

  bool has_room() const;
  std::size_t bytes() const { return bytes_; }
  // `attempts` that have counted before; it is not sent before `next`.
  void add(MessagePtr message, std::int64_t attempts = 0, Instant next = Instant::beginning(),
           Instant asked_at = Instant::beginning());
  void add_dead_letter(MessagePtr message, std::int64_t attempts = 0,
                       Instant next = Instant::beginning(),
                       Instant asked_at = Instant::beginning());
  bool has_dead_letter(const std::string& id) const { return letters_.contains(id); }
  // All events up to there are in it, or do not concern it.
  void note_read(FeedPosition through) { read_ = through; }
  FeedPosition read() const { return read_; }
  // All messages up to there are done.
  FeedPosition done() const;
  // Of those that are not, each once, in their order.
  std::vector<FeedPosition> left() const;

  // One that may be sent now: the first of its document, and the one that has been due for longest.
  // Nothing where there is none.
  std::optional<Number> next(Instant now) const;
  // When there will be one, unless one that is under way ends before; never(): none.
  Instant next_due() const;
  const Item& item(Number number) const { return items_.at(number); }
  const std::map<Number, Item>& items() const { return items_; }
  // `taken`: what the target has taken so far, also below.
  void begin(Number number, std::uint64_t taken);
  // The attempt has failed; the next one is at `at`. Gives how many have counted, with this one
  // where `counts`.
  std::int64_t put_off(Number number, Instant at, bool counts, std::uint64_t taken);
  // It has so many attempts behind it, and is due at `next`. One that is under way is left.
  void hasten(Number number, std::int64_t attempts, Instant next, Instant asked_at);
  // It is given up: it counts as done, and the next one of its document waits until finish().
  const Item& give_up(Number number);
  // It has been delivered, or what became of it is written down. Gives it.
  Item finish(Number number);

  std::size_t size() const { return items_.size(); }
  // The commit of the first message that is not done; never() where all are.
  Instant oldest() const;
  std::size_t under_way() const { return under_way_; }

 private:
  void insert(Item item);
  void make_ready(Number number);
  void end_attempt(Item& item);

  FeedPosition read_;
  std::map<Number, Item> items_;
  std::unordered_map<Bytes, std::deque<Number>> documents_;  // their messages, in their order
  std::set<std::pair<Instant, Number>> ready_;  // the first of their documents, not under way
  std::set<Number> placed_;                     // those that hold the place
  std::set<std::string> letters_;
  std::size_t bytes_ = 0;
  std::size_t under_way_ = 0;
  Number numbers_ = 0;
};

}  // namespace mayfly::delivery
