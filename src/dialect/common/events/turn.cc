#include "dialect/common/events/turn.h"

#include "base/service/logging.h"
#include "base/threads/thread_time.h"
#include "dialect/common/limits.h"

namespace mayfly {

bool EventTurn::send_next(Subscriber& subscriber) {
  if (subscriber.awaits_client) return true;
  const bool has_nothing =
      subscriber.is_at_head ? subscriber.channel->due.empty() : subscriber.at >= round_.end;
  if (has_nothing) {
    subscriber.is_at_head = true;
    return true;
  }
  const bool shares_page = subscriber.is_at_head && head_page_;
  auto page = is_spent() && !shares_page ? PagePtr() : read(subscriber);
  const bool has_missed = page && *page && (*page)->has_gap && !subscriber.is_at_head;
  if (subscriber.is_at_head) subscriber.at = round_.head;
  subscriber.is_at_head = false;
  if (!page) return false;
  if (!*page) return true;
  // A subscriber at the head has missed nothing, even if nothing has happened for long.
  std::string notice = has_missed ? subscriber.asked.gap_notice : "";
  return send(subscriber, notice) && send_page(subscriber, **page);
}

// A failed read is not repeated for the other subscribers.
Result<EventTurn::PagePtr> EventTurn::read(const Subscriber& subscriber) {
  if (subscriber.is_at_head) {
    if (!head_page_) head_page_ = read_timed(subscriber, round_.head);
    return *head_page_;
  }
  const auto found = pages_.find(subscriber.at);
  if (found != pages_.end()) return found->second;
  auto page = read_timed(subscriber, subscriber.at);
  if (pages_.size() >= limits::stream_pages_kept_max) pages_.clear();
  pages_.emplace(subscriber.at, page);
  return page;
}

Result<EventTurn::PagePtr> EventTurn::read_timed(const Subscriber& subscriber,
                                                 const EventPosition& after) {
  const Channel& channel = *subscriber.channel;
  const Instant begun = thread_time();
  auto page = channel.source->read(after, round_.end.committed_at,
                                   subscriber.is_at_head ? &channel.due : nullptr);
  reading_.micros += (thread_time() - begun).micros;
  if (page) return std::make_shared<const EventPage>(*std::move(page));
  if (page.error().code != Code::not_found) {
    log(LogLevel::warn, "events could not be read", {{"error", page.error().message}});
  }
  return tl::unexpected(page.error());
}

// A page that is not sent completely is read again later: keeping it would let a slow client hold
// memory.
bool EventTurn::send_page(Subscriber& subscriber, const EventPage& page) {
  std::string text;
  if (!send_pieces(subscriber, page, text) || !send(subscriber, text)) return false;
  if (subscriber.awaits_client) {
    subscriber.asked.stream->when_sent(ready_(subscriber.number));
    return true;
  }
  subscriber.is_at_head = subscriber.at >= round_.end;
  return true;
}

// Stops when the rest must wait, for the client or for the next turn. Leaves the unsent text in
// `text`.
bool EventTurn::send_pieces(Subscriber& subscriber, const EventPage& page, std::string& text) {
  const Subscription& asked = subscriber.asked;
  for (const EventPiece& piece : page.pieces) {
    if (asked.has_filters && filtering_ >= round_.time_max) return true;
    const auto is_wanted = wants(asked, piece);
    if (!is_wanted) {
      if (send(subscriber, text)) say_farewell(asked, is_wanted.error().message);
      return false;
    }
    if (*is_wanted) {
      const bool is_full = text.size() + piece.text.size() > limits::stream_text_bytes_max;
      if (is_full && !send(subscriber, text)) return false;
      const std::size_t unsent = asked.stream->unsent_bytes();
      const std::size_t bytes = unsent + text.size() + piece.text.size();
      subscriber.awaits_client = unsent > 0 && bytes > limits::stream_unsent_bytes_max / 2;
      if (subscriber.awaits_client) return true;
      text += piece.text;
    }
    subscriber.at = piece.position;
  }
  subscriber.at = page.upto;
  return true;
}

Result<bool> EventTurn::wants(const Subscription& asked, const EventPiece& piece) {
  if (!asked.wants) return true;
  if (!asked.has_filters) return asked.wants(piece);
  const Instant begun = thread_time();
  auto is_wanted = asked.wants(piece);
  filtering_.micros += (thread_time() - begun).micros;
  return is_wanted;
}

bool EventTurn::send(Subscriber& subscriber, std::string& text) const {
  if (text.empty()) return true;
  subscriber.sent_at = round_.now;
  return subscriber.asked.stream->send(std::exchange(text, {}));
}

void say_farewell(const Subscription& subscription, std::string_view reason) {
  const auto& stream = subscription.stream;
  if (subscription.final_text && stream->is_open()) stream->send(subscription.final_text(reason));
}

}  // namespace mayfly
