#include "net/streams/send_queue.h"

#include <utility>

#include "base/limits.h"
#include "net/requests/limits.h"

namespace mayfly::net {
namespace {

class QueueStream final : public Stream {
 public:
  explicit QueueStream(std::shared_ptr<SendQueue> send_queue)
      : send_queue_(std::move(send_queue)) {}
  ~QueueStream() override { send_queue_->end(); }

  bool send(std::string piece) override { return send_queue_->send(std::move(piece)); }
  void end() override { send_queue_->end(); }
  bool is_open() const override { return send_queue_->is_open(); }
  std::size_t unsent_bytes() const override { return send_queue_->unsent_bytes(); }
  void when_sent(std::function<void()> act) override { send_queue_->when_sent(std::move(act)); }
  bool work(std::function<void()> make) override { return send_queue_->work(std::move(make)); }

 private:
  const std::shared_ptr<SendQueue> send_queue_;
};

}  // namespace

std::shared_ptr<Stream> make_stream(std::shared_ptr<SendQueue> send_queue) {
  return std::make_shared<QueueStream>(std::move(send_queue));
}

SendQueue::SendQueue(const Durability* durability, Wake wake, SharedMemory memory,
                     RunOnWorker run_on_worker, std::size_t unsent_bytes_max)
    : durability_(durability),
      unsent_bytes_max_(unsent_bytes_max),
      wake_(std::move(wake)),
      memory_(std::move(memory)),
      run_on_worker_(std::move(run_on_worker)) {}

// One wake-up is enough for all changes before the connection reacts. Under the mutex, so that none
// comes after close().
void SendQueue::wake_once() {
  if (is_woken_) return;
  wake_();
  is_woken_ = true;
}

// --- for the sender ---

bool SendQueue::send(std::string piece) {
  const std::lock_guard lock(mutex_);
  if (!accepts_pieces()) return false;
  if (piece.empty()) return true;
  if (reserve(piece.size())) add(std::move(piece), 0);
  wake_once();
  return !has_overrun_;
}

bool SendQueue::send_first(std::string piece) {
  const std::lock_guard lock(mutex_);
  if (!accepts_pieces()) return false;
  if (would_overrun(piece.size())) {
    overrun();
  } else if (count_own(own_bytes_ + piece.size())) {
    own_bytes_ += piece.size();
    waiting_bytes_ += piece.size();
    first_ += piece;
  } else {
    return false;
  }
  wake_once();
  return !has_overrun_;
}

bool SendQueue::send_shared(std::string begin, const SharedText& shared, std::string end) {
  const std::lock_guard lock(mutex_);
  if (!accepts_pieces()) return false;
  const std::size_t own = begin.size() + end.size();
  if (would_overrun(own + shared->text().size()) || !count_own(own_bytes_ + own)) {
    overrun();
  } else if (!count(*shared)) {
    overrun();
  } else {
    add(std::move(begin), 0);
    Part& part = waiting_.back();
    const std::uint64_t watermark = part.watermark;
    part.shared = shared;
    part.is_begun = !end.empty();
    waiting_bytes_ += shared->text().size();
    if (!end.empty()) add_end(std::move(end), watermark);
  }
  wake_once();
  return !has_overrun_;
}

bool SendQueue::send_answer(std::string piece) {
  const std::lock_guard lock(mutex_);
  if (!accepts_pieces() || !count_own(own_bytes_ + piece.size())) return false;
  const std::size_t bytes = piece.size();
  answer_bytes_ += bytes;
  add(std::move(piece), bytes);
  wake_once();
  return true;
}

// Counts the bytes. False if the client is too slow, or there is no memory for them.
bool SendQueue::reserve(std::size_t bytes) {
  if (!would_overrun(bytes) && count_own(own_bytes_ + bytes)) return true;
  overrun();
  return false;
}

// If nothing is queued, a piece of any size is accepted, as far as there is memory for it.
bool SendQueue::would_overrun(std::size_t bytes) const {
  const std::size_t unsent = taken_bytes_ + waiting_bytes_ - answer_bytes_;
  return unsent > 0 && unsent + bytes > unsent_bytes_max_;
}

// The connection still has the taken piece, so it stays counted until the connection has closed.
void SendQueue::overrun() {
  has_overrun_ = true;
  drop_waiting();
  count_own(taken_own_bytes_);
}

void SendQueue::give_up() {
  const std::lock_guard lock(mutex_);
  if (!wake_ || has_overrun_) return;
  overrun();
  wake_once();
}

// The bytes must have been counted.
void SendQueue::add(std::string piece, std::size_t answer_bytes) {
  own_bytes_ += piece.size();
  waiting_bytes_ += piece.size();
  if (waiting_.empty() || waiting_.back().shared || waiting_.back().is_complete) {
    waiting_.push_back({std::move(piece)});
  } else if (waiting_.back().own.empty()) {
    waiting_.back().own = std::move(piece);
  } else {
    waiting_.back().own += piece;
  }
  waiting_.back().answer_bytes += answer_bytes;
  if (durability_ != nullptr) waiting_.back().watermark = durability_->applied();
}

// Adds a separate part, which is sent together with the part before.
void SendQueue::add_end(std::string end, std::uint64_t watermark) {
  add(std::move(end), 0);
  waiting_.back().is_complete = true;
  waiting_.back().watermark = watermark;
}

// --- shared memory ---

// Sets the counted size of the own bytes; false if there is no room for more.
bool SendQueue::count_own(std::size_t bytes) {
  const std::size_t counted = bytes > limits::send_queue_uncounted_bytes_max ? bytes : 0;
  if (counted > counted_bytes_) {
    const std::size_t more = counted - counted_bytes_;
    if (!memory_.add(more, more)) {
      memory_.remove(more, more);
      return false;
    }
  } else if (counted < counted_bytes_) {
    memory_.remove(counted_bytes_ - counted, counted_bytes_ - counted);
  }
  counted_bytes_ = counted;
  return true;
}

bool SendQueue::count(const SharedBytes& shared) {
  if (memory_.add(shared.text().size(), shared.keep())) return true;
  discount(shared);
  return false;
}

void SendQueue::discount(const SharedBytes& shared) {
  memory_.remove(shared.text().size(), shared.release());
}

void SendQueue::drop_waiting() {
  for (const Part& part : waiting_) {
    if (part.shared) discount(*part.shared);
  }
  first_ = {};
  waiting_ = {};
  waiting_bytes_ = 0;
  own_bytes_ = taken_own_bytes_;
  answer_bytes_ = taken_.answer_bytes;
}

// --- end and state ---

void SendQueue::end() {
  const std::lock_guard lock(mutex_);
  if (!wake_ || std::exchange(is_ended_, true)) return;
  wake_once();
}

bool SendQueue::is_open() const {
  const std::lock_guard lock(mutex_);
  return accepts_pieces();
}

std::size_t SendQueue::unsent_bytes() const {
  const std::lock_guard lock(mutex_);
  return wake_ ? taken_bytes_ + waiting_bytes_ : 0;
}

void SendQueue::when_sent(std::function<void()> act) {
  {
    const std::lock_guard lock(mutex_);
    if (wake_ && !has_overrun_ && taken_bytes_ + waiting_bytes_ > 0) {
      when_sent_ = std::move(act);
      return;
    }
  }
  act();
}

// Under the mutex, so that none is submitted after close(): the workers may have stopped by then.
bool SendQueue::work(std::function<void()> make) {
  const std::lock_guard lock(mutex_);
  return accepts_pieces() && run_on_worker_(std::move(make));
}

// --- for the connection ---

bool SendQueue::acknowledge_wake() {
  const std::lock_guard lock(mutex_);
  is_woken_ = false;
  return has_overrun_;
}

// The parts of a piece are taken one directly after the other.
std::optional<SendQueue::Piece> SendQueue::take(std::uint64_t durable) {
  const std::lock_guard lock(mutex_);
  if (!first_.empty() && !taken_is_begun_) return take_first();
  if (waiting_.empty() && !is_ended_) return std::nullopt;
  Piece piece;
  if (!waiting_.empty()) {
    piece.watermark = waiting_.front().watermark;
    piece.must_wait = piece.watermark > durable;
    if (piece.must_wait) {
      waiting_.front().is_complete = true;  // later pieces must not delay it
      return piece;
    }
    taken_ = std::move(waiting_.front());
    taken_is_begun_ = taken_.is_begun;
    waiting_.pop_front();
    taken_bytes_ = taken_.bytes();
    taken_own_bytes_ = taken_.own.size();
    waiting_bytes_ -= taken_bytes_;
    piece.bytes = std::exchange(taken_.own, {});
    piece.shared = taken_.shared;
  }
  piece.is_end = is_ended_ && waiting_.empty();
  return piece;
}

SendQueue::Piece SendQueue::take_first() {
  taken_ = {};
  taken_bytes_ = taken_own_bytes_ = first_.size();
  waiting_bytes_ -= first_.size();
  return {.bytes = std::exchange(first_, {})};
}

void SendQueue::sent() {
  std::function<void()> act;
  {
    const std::lock_guard lock(mutex_);
    if (!wake_) return;
    if (taken_.shared) discount(*taken_.shared);
    answer_bytes_ -= taken_.answer_bytes;
    taken_ = {};
    taken_bytes_ = 0;
    count_own(own_bytes_ -= std::exchange(taken_own_bytes_, 0));
    if (!first_.empty() || !waiting_.empty() || is_ended_ || has_overrun_) return wake_once();
    act = std::exchange(when_sent_, nullptr);
  }
  if (act) act();
}

void SendQueue::close() {
  std::function<void()> act;
  {
    const std::lock_guard lock(mutex_);
    if (wake_) {
      if (taken_.shared) discount(*taken_.shared);
      taken_ = {};
      taken_bytes_ = taken_own_bytes_ = 0;
      drop_waiting();
      count_own(0);
    }
    wake_ = nullptr;
    act = std::exchange(when_sent_, nullptr);
  }
  if (act) act();
}

}  // namespace mayfly::net
