// DeliveryWork: which messages are sent next, and to which targets.
#include <algorithm>
#include <utility>

#include "delivery/engine/work.h"

namespace mayfly::delivery {

void DeliveryWork::check_targets() {
  closed_.clear();
  for (const auto& [kind, target] : targets_) {
    if (auto why = target->closed()) closed_.emplace(kind, *std::move(why));
    const std::uint64_t openings = target->openings();
    if (std::exchange(openings_[kind], openings) == openings) continue;
    for (const auto& [epoch, subscriber] : subscribers_) {
      if (subscriber->subscription().target == kind) subscriber->end_rest();
    }
  }
}

// Takes the subscribers in rotation, so that each gets its share if not all messages can be in
// flight.
void DeliveryWork::send(Instant now) {
  check_targets();
  std::vector<std::pair<Subscriber*, Target*>> ready;
  for (const auto& [epoch, subscriber] : subscribers_) {
    const auto target = targets_.find(subscriber->subscription().target);
    if (subscriber->subscription().is_paused || target == targets_.end()) continue;
    if (!closed_.contains(target->first)) ready.emplace_back(subscriber, target->second);
  }
  if (!ready.empty()) std::ranges::rotate(ready, ready.begin() + sends_++ % ready.size());
  while (!ready.empty()) {
    std::erase_if(ready, [&](auto& one) { return !send_next(*one.first, *one.second, now); });
  }
}

// How much more a subscription may have in flight.
DeliveryWork::InFlight DeliveryWork::room_for(const Subscriber& subscriber) const {
  const auto known = shares_.find(subscriber.epoch());
  const InFlight own = known == shares_.end() ? InFlight{} : known->second.in_flight;
  const std::size_t messages = limits::messages_under_way_max -
                               std::min(in_flight_.messages, limits::messages_under_way_max);
  const std::size_t bytes =
      limits::bytes_under_way_max - std::min(in_flight_.bytes, limits::bytes_under_way_max);
  return {messages - std::min(own.messages, messages), bytes - std::min(own.bytes, bytes)};
}

// Starts the messages of the next attempt. A message that has failed before goes alone, so that it
// makes no other fail.
std::vector<Window::Number> DeliveryWork::begin_next(Subscriber& subscriber, const Target& target,
                                                     Instant now) {
  std::vector<Window::Number> batch;
  const Window& window = subscriber.window();
  InFlight room = room_for(subscriber);
  // If the target is failing, one of the messages may be the cause.
  const std::size_t most =
      subscriber.is_failing() ? 1 : target.batch_max(subscriber.subscription().settings);
  std::size_t bytes_left = std::min(room.bytes, limits::message_bytes_max);
  for (auto number = window.next(now); number && batch.size() < most; number = window.next(now)) {
    const Window::Item& item = window.item(*number);
    const std::size_t bytes = item.message->payload.size();
    const bool goes_alone = item.attempts > 0;
    if (room.messages == 0 || bytes > (batch.empty() ? room.bytes : bytes_left)) break;
    if (goes_alone && !batch.empty()) break;
    subscriber.begin(*number);
    batch.push_back(*number);
    --room.messages;
    bytes_left -= std::min(bytes, bytes_left);
    if (goes_alone) break;
  }
  return batch;
}

// Gives whether messages were sent.
bool DeliveryWork::send_next(Subscriber& subscriber, Target& target, Instant now) {
  const Window& window = subscriber.window();
  const auto share = shares_.find(subscriber.epoch());
  std::erase_if(subscriber.earlier_epochs,
                [this](std::uint64_t epoch) { return !shares_.contains(epoch); });
  if (!subscriber.earlier_epochs.empty()) return false;
  const auto first = window.next(now);
  if (!first) return false;
  const std::string calls_key =
      window.item(*first).message->database + " " + std::string(target.kind());
  const auto calls = calls_.find(calls_key);
  const bool is_busy =
      (share != shares_.end() && share->second.in_flight.calls >= target.at_once()) ||
      (calls != calls_.end() && calls->second >= target.at_once_of_database());
  const bool is_unwritten = subscriber.new_bytes() >= limits::unwritten_bytes_max;
  if (subscriber.is_resting(now) || is_busy || is_unwritten) return false;
  EndedAttempt ended{.epoch = subscriber.epoch(), .numbers = begin_next(subscriber, target, now)};
  if (ended.numbers.empty()) return false;
  std::vector<const Message*> messages;
  for (const Window::Number number : ended.numbers) {
    messages.push_back(window.item(number).message.get());
    ended.bytes += messages.back()->payload.size();
  }
  const std::int64_t attempt = window.item(ended.numbers.front()).attempts + 1;
  shares_[subscriber.epoch()].calls_key = calls_key;
  ++calls_[calls_key];
  for (InFlight* count : {&in_flight_, &shares_[subscriber.epoch()].in_flight}) {
    count->messages += messages.size();
    ++count->calls;
    count->bytes += ended.bytes;
  }
  target.send({.subscription = subscriber.subscription().id,
               .round = subscriber.subscription().round,
               .settings = subscriber.subscription().settings,
               .message = *messages.front(),
               .others = std::span(messages).subspan(1),
               .number = attempt,
               .now = now},
              [inbox = inbox_, ended = std::move(ended)](AttemptOutcome outcome) mutable {
                ended.outcome = std::move(outcome);
                inbox->put([&] { inbox->ended.push_back(std::move(ended)); });
              });
  return true;
}

}  // namespace mayfly::delivery
