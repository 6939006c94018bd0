#include "dialect/kuzzle/realtime/delivery/delivery.h"

namespace mayfly::kuzzle::realtime {

const net::SharedText& Rendered::in(Shape shape) {
  net::SharedText& text = texts_[shape];
  if (text == nullptr) text = net::make_shared_text(render_(shape));
  return text;
}

void Delivery::send(const std::vector<std::string>& rooms, const Rooms::Wants& wants,
                    Rendered& text) {
  for (auto at = rooms.begin(); at != rooms.end();) {
    std::vector<Addressees> found;
    {
      const std::lock_guard lock(state_.mutex);
      std::size_t looked = 0;
      for (; at != rooms.end() && looked < limits::realtime_listeners_at_once; ++at) {
        const Room* room = state_.rooms.find(*at);
        looked += 1 + (room == nullptr ? 0 : state_.rooms.gather(*room, wants, found));
      }
    }
    for (const Addressees& to : found) send(to, text);
  }
}

void Delivery::send(const Addressees& to, Rendered& text) {
  const std::string end = end_in_channel(to.channel);
  for (const Addressee& addressee : to.members) {
    if (lost_.contains(addressee.connection)) continue;
    const net::SharedText& begin = text.in(addressee.shape);
    const bool is_sent =
        takes(addressee, begin->text().size() + end.size()) && addressee.sender->send(begin, end);
    if (!is_sent) lost_.insert(addressee.connection);
  }
}

// The first frame is always sent.
bool Delivery::takes(const Addressee& addressee, std::size_t bytes) {
  std::size_t& sent = sent_bytes_[addressee.connection];
  const bool is_too_much = sent > 0 && sent + bytes > limits::realtime_event_bytes_max;
  sent += bytes;
  if (is_too_much) addressee.sender->give_up();
  return !is_too_much;
}

}  // namespace mayfly::kuzzle::realtime
