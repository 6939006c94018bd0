#include "net/streams/outlet.h"

#include <utility>

#include "base/limits.h"
#include "net/requests/limits.h"

namespace mayfly::net {
namespace {

class Handle final : public Stream {
 public:
  explicit Handle(std::shared_ptr<Outlet> outlet) : outlet_(std::move(outlet)) {}
  ~Handle() override { outlet_->end(); }

  bool send(std::string piece) override { return outlet_->send(std::move(piece)); }
  void end() override { outlet_->end(); }
  bool is_open() const override { return outlet_->is_open(); }
  std::size_t unsent_bytes() const override { return outlet_->unsent_bytes(); }
  void when_sent(std::function<void()> act) override { outlet_->when_sent(std::move(act)); }
  bool work(std::function<void()> make) override { return outlet_->work(std::move(make)); }

 private:
  const std::shared_ptr<Outlet> outlet_;
};

}  // namespace

std::shared_ptr<Stream> make_stream(std::shared_ptr<Outlet> outlet) {
  return std::make_shared<Handle>(std::move(outlet));
}

Outlet::Outlet(const Durability* durability, Wake wake, SharedMemory memory,
               RunOnWorker run_on_worker, std::size_t unsent_bytes_max)
    : durability_(durability),
      unsent_bytes_max_(unsent_bytes_max),
      wake_(std::move(wake)),
      memory_(std::move(memory)),
      run_on_worker_(std::move(run_on_worker)) {}

// One wake-up is enough for all that comes before the connection has looked. Under the mutex, so
// that none comes after close().
void Outlet::wake_once() {
  if (is_woken_) return;
  wake_();
  is_woken_ = true;
}

// --- whoever sends ---

bool Outlet::send(std::string piece) {
  const std::lock_guard lock(mutex_);
  if (!is_taken_in()) return false;
  if (piece.empty()) return true;
  if (admits(piece.size())) add(std::move(piece), 0);
  wake_once();
  return !has_overrun_;
}

bool Outlet::send_first(std::string piece) {
  const std::lock_guard lock(mutex_);
  if (!is_taken_in()) return false;
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

bool Outlet::send_shared(std::string begin, const SharedText& shared, std::string end) {
  const std::lock_guard lock(mutex_);
  if (!is_taken_in()) return false;
  const std::size_t own = begin.size() + end.size();
  if (would_overrun(own + shared->text().size()) || !count_own(own_bytes_ + own)) {
    overrun();
  } else if (!count(*shared)) {
    overrun();
  } else {
    add(std::move(begin), 0);
    Part& part = waiting_.back();
    const std::uint64_t mark = part.mark;
    part.shared = shared;
    part.is_begun = !end.empty();
    waiting_bytes_ += shared->text().size();
    if (!end.empty()) add_end(std::move(end), mark);
  }
  wake_once();
  return !has_overrun_;
}

bool Outlet::send_answer(std::string piece) {
  const std::lock_guard lock(mutex_);
  if (!is_taken_in() || !count_own(own_bytes_ + piece.size())) return false;
  const std::size_t bytes = piece.size();
  answer_bytes_ += bytes;
  add(std::move(piece), bytes);
  wake_once();
  return true;
}

// Counts them; false where the client is too slow, or there is no memory for them.
bool Outlet::admits(std::size_t bytes) {
  if (!would_overrun(bytes) && count_own(own_bytes_ + bytes)) return true;
  overrun();
  return false;
}

// A first piece is as large as it must be, where there is memory for it.
bool Outlet::would_overrun(std::size_t bytes) const {
  const std::size_t unsent = taken_bytes_ + waiting_bytes_ - answer_bytes_;
  return unsent > 0 && unsent + bytes > unsent_bytes_max_;
}

// What is taken is still with the connection, and stays counted until that has closed.
void Outlet::overrun() {
  has_overrun_ = true;
  drop_waiting();
  count_own(taken_own_bytes_);
}

void Outlet::give_up() {
  const std::lock_guard lock(mutex_);
  if (!wake_ || has_overrun_) return;
  overrun();
  wake_once();
}

// Its bytes have been counted.
void Outlet::add(std::string piece, std::size_t answer_bytes) {
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
  if (durability_ != nullptr) waiting_.back().mark = durability_->applied();
}

// A part of its own, so that it leaves with what it ends.
void Outlet::add_end(std::string end, std::uint64_t mark) {
  add(std::move(end), 0);
  waiting_.back().is_complete = true;
  waiting_.back().mark = mark;
}

// --- the memory that all share ---

// Brings what is counted of the own bytes to so many; false where there is no room for more.
bool Outlet::count_own(std::size_t bytes) {
  const std::size_t wanted = bytes > limits::outlet_uncounted_bytes_max ? bytes : 0;
  if (wanted > counted_bytes_) {
    const std::size_t more = wanted - counted_bytes_;
    if (!memory_.add(more, more)) {
      memory_.remove(more, more);
      return false;
    }
  } else if (wanted < counted_bytes_) {
    memory_.remove(counted_bytes_ - wanted, counted_bytes_ - wanted);
  }
  counted_bytes_ = wanted;
  return true;
}

bool Outlet::count(const SharedBytes& shared) {
  if (memory_.add(shared.text().size(), shared.keep())) return true;
  discount(shared);
  return false;
}

void Outlet::discount(const SharedBytes& shared) {
  memory_.remove(shared.text().size(), shared.release());
}

void Outlet::drop_waiting() {
  for (const Part& part : waiting_) {
    if (part.shared) discount(*part.shared);
  }
  first_ = {};
  waiting_ = {};
  waiting_bytes_ = 0;
  own_bytes_ = taken_own_bytes_;
  answer_bytes_ = taken_.answer_bytes;
}

// --- how it ends, and what there is ---

void Outlet::end() {
  const std::lock_guard lock(mutex_);
  if (!wake_ || std::exchange(is_ended_, true)) return;
  wake_once();
}

bool Outlet::is_open() const {
  const std::lock_guard lock(mutex_);
  return is_taken_in();
}

std::size_t Outlet::unsent_bytes() const {
  const std::lock_guard lock(mutex_);
  return wake_ ? taken_bytes_ + waiting_bytes_ : 0;
}

void Outlet::when_sent(std::function<void()> act) {
  {
    const std::lock_guard lock(mutex_);
    if (wake_ && !has_overrun_ && taken_bytes_ + waiting_bytes_ > 0) {
      when_sent_ = std::move(act);
      return;
    }
  }
  act();
}

// Under the mutex, so that none comes after close(): the workers may have ended by then.
bool Outlet::work(std::function<void()> make) {
  const std::lock_guard lock(mutex_);
  return is_taken_in() && run_on_worker_(std::move(make));
}

// --- the connection ---

bool Outlet::look() {
  const std::lock_guard lock(mutex_);
  is_woken_ = false;
  return has_overrun_;
}

// Nothing comes between the parts of a piece.
std::optional<Outlet::Piece> Outlet::take(std::uint64_t durable) {
  const std::lock_guard lock(mutex_);
  if (!first_.empty() && !taken_is_begun_) return take_first();
  if (waiting_.empty() && !is_ended_) return std::nullopt;
  Piece piece;
  if (!waiting_.empty()) {
    piece.mark = waiting_.front().mark;
    piece.must_wait = piece.mark > durable;
    if (piece.must_wait) {
      waiting_.front().is_complete = true;  // what comes later must not put it off
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

Outlet::Piece Outlet::take_first() {
  taken_ = {};
  taken_bytes_ = taken_own_bytes_ = first_.size();
  waiting_bytes_ -= first_.size();
  return {.bytes = std::exchange(first_, {})};
}

void Outlet::sent() {
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

void Outlet::close() {
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
