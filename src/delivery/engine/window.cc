#include "delivery/engine/window.h"

#include "delivery/limits.h"

namespace mayfly::delivery {
namespace {

FeedPosition just_before(const FeedPosition& position) {
  if (position.number > 0) return {position.committed_at, position.number - 1};
  return {position.committed_at - Span{1}, UINT32_MAX};
}

}  // namespace

bool Window::has_room() const {
  return items_.size() < limits::window_messages_max && bytes_ < limits::window_bytes_max;
}

void Window::add(MessagePtr message, std::int64_t attempts, Instant next, Instant asked_at) {
  insert({.message = std::move(message), .attempts = attempts, .next = next, .asked_at = asked_at});
}

void Window::add_dead_letter(MessagePtr message, std::int64_t attempts, Instant next,
                             Instant asked_at) {
  letters_.insert(message->id);
  insert({.message = std::move(message),
          .attempts = attempts,
          .is_dead_letter = true,
          .next = next,
          .asked_at = asked_at});
}

void Window::insert(Item item) {
  const Number number = ++numbers_;
  if (!item.is_dead_letter) position_holders_.insert(number);
  bytes_ += item.message->payload.size() + limits::window_place_bytes;
  std::vector<Number>& messages = documents_[item.message->document];
  messages.push_back(number);
  const bool is_first = messages.size() == 1;
  items_.emplace(number, std::move(item));
  if (is_first) make_ready(number);
}

void Window::make_ready(Number number) {
  ready_.emplace(items_.at(number).next, number);
}

FeedPosition Window::done() const {
  return position_holders_.empty()
             ? read_
             : just_before(items_.at(*position_holders_.begin()).message->position);
}

std::vector<FeedPosition> Window::left() const {
  std::vector<FeedPosition> positions;
  for (const Number number : position_holders_) {
    const FeedPosition& one = items_.at(number).message->position;
    if (positions.empty() || positions.back() != one) positions.push_back(one);
  }
  return positions;
}

Instant Window::oldest() const {
  if (position_holders_.empty()) return Instant::never();
  return items_.at(*position_holders_.begin()).message->position.committed_at;
}

std::optional<Window::Number> Window::next(Instant now) const {
  if (ready_.empty() || ready_.begin()->first > now) return std::nullopt;
  return ready_.begin()->second;
}

Instant Window::next_due() const {
  return ready_.empty() ? Instant::never() : ready_.begin()->first;
}

void Window::begin(Number number, std::uint64_t taken) {
  Item& item = items_.at(number);
  if (!item.taken_before) item.taken_before = taken;
  ready_.erase({item.next, number});
  item.is_under_way = true;
  ++under_way_;
}

void Window::end_attempt(Item& item) {
  item.is_under_way = false;
  --under_way_;
}

std::int64_t Window::postpone(Number number, Instant at, bool counts, std::uint64_t taken) {
  Item& item = items_.at(number);
  end_attempt(item);
  if (counts) ++item.attempts;
  item.taken_before = taken;
  item.next = at;
  make_ready(number);
  return item.attempts;
}

void Window::reschedule(Number number, std::int64_t attempts, Instant next, Instant asked_at) {
  Item& item = items_.at(number);
  if (item.is_under_way) return;
  const bool was_ready = ready_.erase({item.next, number}) > 0;
  item.attempts = attempts;
  item.next = next;
  item.asked_at = asked_at;
  if (was_ready) make_ready(number);
}

const Window::Item& Window::give_up(Number number) {
  Item& item = items_.at(number);
  end_attempt(item);
  position_holders_.erase(number);
  return item;
}

Window::Item Window::finish(Number number) {
  const auto found = items_.find(number);
  Item item = std::move(found->second);
  items_.erase(found);
  if (item.is_under_way) end_attempt(item);
  ready_.erase({item.next, number});
  position_holders_.erase(number);
  if (item.is_dead_letter) letters_.erase(item.message->id);
  bytes_ -= item.message->payload.size() + limits::window_place_bytes;
  const auto messages = documents_.find(item.message->document);
  const bool was_first = messages->second.front() == number;
  std::erase(messages->second, number);
  if (messages->second.empty()) {
    documents_.erase(messages);
  } else if (was_first) {
    make_ready(messages->second.front());
  }
  return item;
}

}  // namespace mayfly::delivery
