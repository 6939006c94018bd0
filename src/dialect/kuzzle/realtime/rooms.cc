#include "dialect/kuzzle/realtime/rooms.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/crypto/crypto.h"
#include "dialect/kuzzle/realtime/limits.h"

namespace mayfly::kuzzle::realtime {
namespace {

std::string channel_name(const Room& room, Channel channel) {
  constexpr std::size_t hex_digits = 32;
  const char requested[] = {static_cast<char>('0' + static_cast<int>(channel.state)),
                            static_cast<char>('0' + static_cast<int>(channel.scope)),
                            static_cast<char>('0' + static_cast<int>(channel.users))};
  // There are many: exactly as long as its text.
  return fmt::format("{}-{:.{}}", room.id,
                     encode_hex(sha256(BytesView(requested, sizeof requested))), hex_digits);
}

bool hears_pending(const Channel& channel) {
  return channel.state != Channel::State::done;
}

tl::unexpected<Error> no_such_room(std::string_view room_id) {
  return fail(Code::not_found, "The room id " + std::string(room_id) + " is unknown", "roomId");
}

}  // namespace

void Rooms::connect(ConnectionId connection, std::shared_ptr<Sender> sender) {
  connections_[connection].sender = std::move(sender);
}

Result<Rooms::Joined> Rooms::subscribe(const Subscriber& by, const CollectionName& name,
                                       const koncorde::Filter& filter, Channel requested,
                                       Member member) {
  if (!connections_.contains(by.connection)) {
    return fail(Code::not_found, "there is no such connection");
  }
  const std::string id = koncorde::room_id(name.index, name.collection, filter);
  if (const auto found = rooms_.find(id); found != rooms_.end()) {
    return enter(by, *found->second, requested, member);
  }
  const std::size_t filter_bytes = filter.text().size();
  if (rooms_.size() >= rooms_max_ ||
      filter_bytes_ + filter_bytes > limits::realtime_filter_bytes_max ||
      pattern_steps_ + filter.pattern_steps() > limits::realtime_pattern_steps_max) {
    return fail(Code::too_large, "Unable to subscribe: maximum number of unique rooms reached.",
                "core.realtime.too_many_rooms");
  }
  const auto [followed, is_new] = collections_.try_emplace(name);
  if (is_new) followed->second.since = member.since;
  auto room = std::make_unique<Room>(Room{.id = id, .name = followed->first});
  room->filter = followed->second.matcher.add(filter);
  room->filter_bytes = filter_bytes;
  room->pattern_steps = filter.pattern_steps();
  filter_bytes_ += filter_bytes;
  pattern_steps_ += room->pattern_steps;
  followed->second.rooms.emplace(room->filter, room.get());
  Room& made = *room;
  rooms_.emplace(made.id, std::move(room));
  Result<Joined> joined = enter(by, made, requested, member);
  if (!joined) remove(by.connection, made, [](Room&) {});
  return joined;
}

Result<Rooms::Joined> Rooms::join(const Subscriber& by, std::string_view room_id, Channel requested,
                                  Member member) {
  const auto found = rooms_.find(room_id);
  if (found == rooms_.end()) return no_such_room(room_id);
  if (!connections_.contains(by.connection)) {
    return fail(Code::not_found, "there is no such connection");
  }
  return enter(by, *found->second, requested, member);
}

Result<void> Rooms::check_share(const std::string& client, const Room& room) const {
  const auto found = shares_.find(client);
  if (found == shares_.end()) return {};
  const Share& share = found->second;
  if (share.subscriptions >= limits::realtime_client_subscriptions_max) {
    return fail(Code::too_large, "Unable to subscribe: this client has too many subscriptions.",
                "core.realtime.too_many_rooms");
  }
  if (share.rooms.contains(&room)) return {};
  const std::size_t rooms_max =
      std::max(rooms_max_ / limits::realtime_client_rooms_part, limits::realtime_client_rooms_min);
  if (share.rooms.size() < rooms_max &&
      share.filter_bytes + room.filter_bytes <= limits::realtime_client_filter_bytes_max &&
      share.pattern_steps + room.pattern_steps <= limits::realtime_client_pattern_steps_max) {
    return {};
  }
  return fail(Code::too_large,
              "Unable to subscribe: this client has too many rooms, or too large filters.",
              "core.realtime.too_many_rooms");
}

void Rooms::add_to_share(const std::string& client, const Room& room) {
  Share& share = shares_[client];
  if (++share.rooms[&room] > 1) return;
  share.filter_bytes += room.filter_bytes;
  share.pattern_steps += room.pattern_steps;
}

void Rooms::take_from_share(const std::string& client, const Room& room,
                            std::size_t subscriptions) {
  const auto found = shares_.find(client);
  Share& share = found->second;
  share.subscriptions -= subscriptions;
  const auto in_room = share.rooms.find(&room);
  if (--in_room->second > 0) return;
  share.rooms.erase(in_room);
  share.filter_bytes -= room.filter_bytes;
  share.pattern_steps -= room.pattern_steps;
  if (share.rooms.empty()) shares_.erase(found);
}

Result<Rooms::Joined> Rooms::enter(const Subscriber& by, Room& room, Channel requested,
                                   Member member) {
  const ConnectionId connection = by.connection;
  Connection& known = connections_.at(connection);
  const auto entered = known.rooms.find(room.id);
  const bool is_new = entered == known.rooms.end();
  const std::string& client = is_new ? by.client : entered->second;
  const auto channel = room.channels.find(requested);
  const bool listens =
      channel != room.channels.end() && channel->second.members.contains(connection);
  if (!listens && (subscriptions_ >= limits::realtime_subscriptions_max ||
                   known.rooms.size() >= limits::realtime_connection_rooms_max)) {
    return fail(Code::too_large, "there are too many subscriptions");
  }
  if (!listens) TRY(check_share(client, room));
  const std::size_t steps = is_new ? room.pattern_steps : 0;
  if (known.pattern_steps + steps > limits::realtime_connection_pattern_steps_max) {
    return fail(Code::too_large,
                "Unable to subscribe: the regular expressions of this connection's filters are too "
                "many or too large.",
                "core.realtime.too_many_terms");
  }
  ChannelMembers& members = room.channels[requested];
  if (members.name.empty()) members.name = channel_name(room, requested);
  if (!listens) {
    members.members.emplace(connection, member);
    ++room.connections[connection];
    ++subscriptions_;
    if (hears_pending(requested)) ++followed(room.name)->pending_listeners;
    if (is_new) add_to_share(client, room);
    ++shares_.at(client).subscriptions;
    known.rooms.emplace(room.id, client);
    if (is_new) ++known.collections[room.name];
    known.pattern_steps += steps;
  } else {
    members.members[connection].generation = member.generation;
  }
  return Joined{&room, {room.id, members.name}, is_new};
}

Result<void> Rooms::leave(ConnectionId connection, std::string_view room_id,
                          const std::function<void(Room&)>& left) {
  const auto known = connections_.find(connection);
  const bool is_in = known != connections_.end() && known->second.rooms.contains(room_id);
  if (!is_in) {
    return fail(Code::not_found, "Not subscribed to the room " + std::string(room_id), "roomId");
  }
  remove(connection, *rooms_.find(room_id)->second, left);
  return {};
}

void Rooms::disconnect(ConnectionId connection, const std::function<void(Room&)>& left) {
  for (const std::string& room_id : of(connection)) {
    remove(connection, *rooms_.find(room_id)->second, left);
  }
  connections_.erase(connection);
}

void Rooms::remove(ConnectionId connection, Room& room, const std::function<void(Room&)>& left) {
  std::size_t ended = 0;
  for (auto channel = room.channels.begin(); channel != room.channels.end();) {
    const std::size_t erased = channel->second.members.erase(connection);
    if (hears_pending(channel->first)) followed(room.name)->pending_listeners -= erased;
    ended += erased;
    channel = channel->second.members.empty() ? room.channels.erase(channel) : std::next(channel);
  }
  subscriptions_ -= ended;
  room.connections.erase(connection);
  Connection& known = connections_.at(connection);
  if (const auto entered = known.rooms.find(room.id); entered != known.rooms.end()) {
    take_from_share(entered->second, room, ended);
    known.pattern_steps -= room.pattern_steps;
    known.rooms.erase(entered);
    const auto of_collection = known.collections.find(room.name);
    if (--of_collection->second == 0) known.collections.erase(of_collection);
  }
  left(room);
  if (!room.channels.empty()) return;
  const auto followed = collections_.find(room.name);
  followed->second.matcher.remove(room.filter);
  filter_bytes_ -= room.filter_bytes;
  pattern_steps_ -= room.pattern_steps;
  followed->second.rooms.erase(room.filter);
  if (followed->second.rooms.empty()) collections_.erase(followed);
  rooms_.erase(rooms_.find(room.id));
}

const Room* Rooms::find(std::string_view room_id) const {
  const auto found = rooms_.find(room_id);
  return found == rooms_.end() ? nullptr : found->second.get();
}

Span Rooms::charge(std::string_view room_id, std::uint64_t period, Span taken) {
  const auto found = rooms_.find(room_id);
  if (found == rooms_.end()) return {};
  Room& room = *found->second;
  if (room.period != period) room.taken = Span{0};
  room.period = period;
  room.taken = Span{room.taken.micros + taken.micros};
  return room.taken;
}

std::vector<std::string> Rooms::of(ConnectionId connection) const {
  const auto known = connections_.find(connection);
  if (known == connections_.end()) return {};
  std::vector<std::string> ids;
  ids.reserve(known->second.rooms.size());
  for (const auto& [room_id, client] : known->second.rooms) ids.emplace_back(room_id);
  return ids;
}

bool Rooms::is_in(ConnectionId connection, const CollectionName& name) const {
  const auto known = connections_.find(connection);
  return known != connections_.end() && known->second.collections.contains(name);
}

FollowedCollection* Rooms::followed(const CollectionName& name) {
  const auto found = collections_.find(name);
  return found == collections_.end() ? nullptr : &found->second;
}

std::vector<Rooms::Candidate> Rooms::candidates(const CollectionName& name,
                                                const koncorde::Subject& subject) {
  std::vector<Candidate> rooms;
  FollowedCollection* of = followed(name);
  if (of == nullptr) return rooms;
  for (koncorde::Matcher::Candidate& found : of->matcher.candidates(subject)) {
    rooms.push_back({of->rooms.at(found.id)->id, std::move(found.filter)});
  }
  return rooms;
}

void Rooms::close(std::string_view room_id, const std::string& frame) {
  const auto found = rooms_.find(room_id);
  if (found == rooms_.end()) return;
  const Room& room = *found->second;
  const net::SharedText text = net::make_shared_text(frame);
  for (const auto& [channel, members] : room.channels) {
    for (const auto& [connection, member] : members.members) {
      send(connection, text, members.name);
    }
  }
  std::vector<ConnectionId> members;
  for (const auto& [connection, channels] : room.connections) members.push_back(connection);
  // The room is removed with its last connection.
  for (const ConnectionId connection : members) remove(connection, *found->second, [](Room&) {});
}

void Rooms::send(ConnectionId connection, const net::SharedText& frame, std::string_view channel) {
  const auto known = connections_.find(connection);
  if (known != connections_.end()) known->second.sender->send(frame, end_in_channel(channel));
}

std::size_t Rooms::gather(const Room& room, const Wants& wants,
                          std::vector<ChannelRecipients>& into) const {
  std::size_t gathered = 0;
  for (const auto& [channel, members] : room.channels) {
    ChannelRecipients found{members.name, {}};
    for (const auto& [connection, member] : members.members) {
      if (!wants(channel, connection, member)) continue;
      found.members.push_back({connection, connections_.at(connection).sender, member.generation});
    }
    gathered += found.members.size();
    if (!found.members.empty()) into.push_back(std::move(found));
  }
  return gathered;
}

}  // namespace mayfly::kuzzle::realtime
