#include "net/outlet.h"

#include <utility>

#include "base/limits.h"

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

 private:
  const std::shared_ptr<Outlet> outlet_;
};

}  // namespace

std::shared_ptr<Stream> make_stream(std::shared_ptr<Outlet> outlet) {
  return std::make_shared<Handle>(std::move(outlet));
}

Outlet::Outlet(const Durability* durability, Wake wake)
    : durability_(durability), wake_(std::move(wake)) {}

// One wake-up is enough for all that comes before the connection has looked. Under the mutex, so
// that none comes after close().
void Outlet::wake_once() {
  if (is_woken_) return;
  wake_();
  is_woken_ = true;
}

bool Outlet::send(std::string piece) {
  const std::lock_guard lock(mutex_);
  if (!wake_ || is_ended_ || has_overrun_) return false;
  if (piece.empty()) return true;
  const std::size_t unsent = taken_bytes_ + waiting_.size() - answer_bytes_;
  if (unsent > 0 && unsent + piece.size() > limits::stream_unsent_bytes_max) {
    has_overrun_ = true;
    waiting_ = {};
  } else {
    add(std::move(piece));
  }
  wake_once();
  return !has_overrun_;
}

bool Outlet::send_answer(std::string piece) {
  const std::lock_guard lock(mutex_);
  if (!wake_ || is_ended_ || has_overrun_) return false;
  answer_bytes_ += piece.size();
  add(std::move(piece));
  wake_once();
  return true;
}

void Outlet::add(std::string piece) {
  if (waiting_.empty()) {
    waiting_ = std::move(piece);
  } else {
    waiting_ += piece;
  }
  if (durability_ != nullptr) mark_ = durability_->applied();
}

void Outlet::end() {
  const std::lock_guard lock(mutex_);
  if (!wake_ || std::exchange(is_ended_, true)) return;
  wake_once();
}

bool Outlet::is_open() const {
  const std::lock_guard lock(mutex_);
  return wake_ && !is_ended_ && !has_overrun_;
}

std::size_t Outlet::unsent_bytes() const {
  const std::lock_guard lock(mutex_);
  return wake_ ? taken_bytes_ + waiting_.size() : 0;
}

void Outlet::when_sent(std::function<void()> act) {
  {
    const std::lock_guard lock(mutex_);
    if (wake_ && !has_overrun_ && taken_bytes_ + waiting_.size() > 0) {
      when_sent_ = std::move(act);
      return;
    }
  }
  act();
}

bool Outlet::look() {
  const std::lock_guard lock(mutex_);
  is_woken_ = false;
  return has_overrun_;
}

std::optional<Outlet::Piece> Outlet::take() {
  const std::lock_guard lock(mutex_);
  if (waiting_.empty() && !is_ended_) return std::nullopt;
  taken_bytes_ = waiting_.size();
  taken_answer_bytes_ = answer_bytes_;
  return Piece{std::exchange(waiting_, {}), is_ended_, mark_};
}

void Outlet::sent() {
  std::function<void()> act;
  {
    const std::lock_guard lock(mutex_);
    taken_bytes_ = 0;
    answer_bytes_ -= std::exchange(taken_answer_bytes_, 0);
    if (!wake_) return;
    if (!waiting_.empty() || is_ended_ || has_overrun_) return wake_once();
    act = std::exchange(when_sent_, nullptr);
  }
  if (act) act();
}

void Outlet::close() {
  std::function<void()> act;
  {
    const std::lock_guard lock(mutex_);
    wake_ = nullptr;
    waiting_ = {};
    taken_bytes_ = 0;
    act = std::exchange(when_sent_, nullptr);
  }
  if (act) act();
}

}  // namespace mayfly::net
