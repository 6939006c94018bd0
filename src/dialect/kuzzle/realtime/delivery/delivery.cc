#include "dialect/kuzzle/realtime/delivery/delivery.h"

namespace mayfly::kuzzle::realtime {

const net::SharedText& RenderedNotification::in(const Generation& generation) {
  net::SharedText& text = texts_[&generation];
  if (text == nullptr) text = net::make_shared_text(render_(generation));
  return text;
}

void Delivery::send(const std::vector<std::string>& rooms, const Rooms::Wants& wants,
                    RenderedNotification& text) {
  for (auto at = rooms.begin(); at != rooms.end();) {
    std::vector<ChannelRecipients> found;
    {
      const std::lock_guard lock(state_.mutex);
      std::size_t looked = 0;
      for (; at != rooms.end() && looked < limits::realtime_recipients_at_once; ++at) {
        const Room* room = state_.rooms.find(*at);
        looked += 1 + (room == nullptr ? 0 : state_.rooms.gather(*room, wants, found));
      }
    }
    for (const ChannelRecipients& to : found) send(to, text);
  }
}

void Delivery::send(const ChannelRecipients& to, RenderedNotification& text) {
  const std::string end = end_in_channel(to.channel);
  for (const Recipient& recipient : to.members) {
    if (lost_.contains(recipient.connection)) continue;
    const net::SharedText& begin = text.in(*recipient.generation);
    const bool is_sent =
        takes(recipient, begin->text().size() + end.size()) && recipient.sender->send(begin, end);
    if (!is_sent) lost_.insert(recipient.connection);
  }
}

// The first frame is always sent.
bool Delivery::takes(const Recipient& recipient, std::size_t bytes) {
  std::size_t& sent = sent_bytes_[recipient.connection];
  const bool is_too_much = sent > 0 && sent + bytes > limits::realtime_event_bytes_max;
  sent += bytes;
  if (is_too_much) recipient.sender->give_up();
  return !is_too_much;
}

}  // namespace mayfly::kuzzle::realtime
