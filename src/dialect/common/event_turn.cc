#include "dialect/common/event_turn.h"

#include "base/logging.h"
#include "base/thread_time.h"
#include "dialect/common/limits.h"

namespace mayfly {

bool EventTurn::tell(Subscriber& subscriber) {
  if (subscriber.awaits_client) return true;
  if (subscriber.page) {
    if (!send_page(subscriber)) return false;
    if (subscriber.page) return true;
  }
  const bool has_nothing =
      subscriber.is_at_head ? subscriber.channel->due.empty() : subscriber.at >= round_.end;
  if (has_nothing) {
    subscriber.is_at_head = true;
    return true;
  }
  auto page = read(subscriber);
  if (page) return take_page(subscriber, *std::move(page)) && send_page(subscriber);
  if (page.error().code != Code::not_found) {
    log(LogLevel::warn, "events could not be read", {{"error", page.error().message}});
  }
  return false;
}

Result<EventTurn::PagePtr> EventTurn::read(const Subscriber& subscriber) {
  if (subscriber.is_at_head && head_page_) return head_page_;
  const EventPosition& after = subscriber.is_at_head ? round_.head : subscriber.at;
  const auto found = pages_.find(after);
  if (found != pages_.end()) return found->second;
  const Channel& channel = *subscriber.channel;
  auto read = TRY(channel.source->read(after, round_.end.committed_at,
                                       subscriber.is_at_head ? &channel.due : nullptr));
  auto page = std::make_shared<const EventPage>(std::move(read));
  if (subscriber.is_at_head) return head_page_ = page;
  if (pages_.size() >= limits::stream_pages_kept_max) pages_.clear();
  pages_.emplace(after, page);
  return page;
}

// One at the head has missed nothing, however long nothing has happened.
bool EventTurn::take_page(Subscriber& subscriber, PagePtr page) {
  const bool has_missed = page->has_gap && !subscriber.is_at_head;
  std::string notice = has_missed ? subscriber.asked.gap_notice : "";
  if (subscriber.is_at_head) subscriber.at = round_.head;
  subscriber.is_at_head = false;
  subscriber.page = std::move(page);
  subscriber.next = 0;
  return send(subscriber, notice);
}

bool EventTurn::send_page(Subscriber& subscriber) {
  std::string text;
  if (!send_pieces(subscriber, text) || !send(subscriber, text)) return false;
  if (subscriber.awaits_client) {
    subscriber.asked.stream->when_sent(ready_(subscriber.number));
    return true;
  }
  if (subscriber.next < subscriber.page->pieces.size()) return true;
  subscriber.at = subscriber.page->upto;
  subscriber.is_at_head = subscriber.at >= round_.end;
  subscriber.page = nullptr;
  return true;
}

// Stops where the rest has to wait, for the client or until the filters of others had their turn.
// Leaves in `text` what is still to be sent.
bool EventTurn::send_pieces(Subscriber& subscriber, std::string& text) {
  const Subscription& asked = subscriber.asked;
  const EventPage& page = *subscriber.page;
  for (; subscriber.next < page.pieces.size(); ++subscriber.next) {
    const EventPiece& piece = page.pieces[subscriber.next];
    if (asked.has_filters && filtered_ >= limits::stream_filters_turn_max) return true;
    const auto is_wanted = wants(asked, piece);
    if (!is_wanted) {
      if (send(subscriber, text)) say_farewell(asked, is_wanted.error().message);
      return false;
    }
    if (!*is_wanted) continue;
    const bool is_full = text.size() + piece.text.size() > limits::stream_text_bytes_max;
    if (is_full && !send(subscriber, text)) return false;
    const std::size_t unsent = asked.stream->unsent_bytes();
    const std::size_t bytes = unsent + text.size() + piece.text.size();
    subscriber.awaits_client = unsent > 0 && bytes > limits::stream_unsent_bytes_max / 2;
    if (subscriber.awaits_client) return true;
    text += piece.text;
  }
  return true;
}

Result<bool> EventTurn::wants(const Subscription& asked, const EventPiece& piece) {
  if (!asked.wants) return true;
  if (!asked.has_filters) return asked.wants(piece);
  const Instant begun = thread_time();
  auto is_wanted = asked.wants(piece);
  filtered_ = Span{filtered_.micros + (thread_time() - begun).micros};
  return is_wanted;
}

bool EventTurn::send(Subscriber& subscriber, std::string& text) const {
  if (text.empty()) return true;
  subscriber.sent_at = round_.now;
  return subscriber.asked.stream->send(std::exchange(text, {}));
}

void say_farewell(const Subscription& subscription, std::string_view reason) {
  const auto& stream = subscription.stream;
  if (subscription.farewell && stream->is_open()) stream->send(subscription.farewell(reason));
}

}  // namespace mayfly
