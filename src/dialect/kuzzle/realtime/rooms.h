// Rooms: which connections subscribe to which filter of which collection, through which channel.
// Private to the folder. Threads: one at a time.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/kuzzle/koncorde/matcher.h"
#include "dialect/kuzzle/realtime/realtime.h"

namespace mayfly::kuzzle::realtime {

// A subscriber of a channel.
struct Member {
  const Generation* generation = &generations::v1;
  Instant since;            // gets notifications of later commits
  std::uint64_t entry = 0;  // and of later entries and exits (State::entries)
};
struct ChannelMembers {
  std::string name;  // of the channel
  std::map<ConnectionId, Member> members;
};

struct Room {
  const std::string id;
  const CollectionName& name;  // the key of Rooms::collections_
  koncorde::FilterId filter = 0;
  std::size_t filter_bytes = 0;
  std::size_t pattern_steps = 0;
  // The time that its filter has taken in one busy period of the thread.
  Span taken{0};
  std::uint64_t period = 0;
  std::map<Channel, ChannelMembers> channels;
  std::map<ConnectionId, std::size_t>
      connections;  // with the number of its channels that they are in
};

// The rooms of one collection.
struct FollowedCollection {
  koncorde::Matcher matcher;
  std::map<koncorde::FilterId, Room*> rooms;
  Instant since;                      // when the first of them was made
  std::size_t pending_listeners = 0;  // subscriptions to pending states
};

// A connection that a notification is sent to.
struct Recipient {
  ConnectionId connection = 0;
  std::shared_ptr<Sender> sender;
  const Generation* generation = &generations::v1;
};
// The recipients on one channel.
struct ChannelRecipients {
  std::string channel;
  std::vector<Recipient> members;
};

// A connection that enters a room, and the client whose quota it counts against while it is there.
struct Subscriber {
  ConnectionId connection = 0;
  std::string client;
};

class Rooms {
 public:
  struct Joined {
    Room* room = nullptr;
    Subscribed subscribed;
    bool is_new = false;  // the connection was not in the room
  };

  explicit Rooms(std::size_t rooms_max) : rooms_max_(rooms_max) {}

  void connect(ConnectionId connection, std::shared_ptr<Sender> sender);
  Result<Joined> subscribe(const Subscriber& by, const CollectionName& name,
                           const koncorde::Filter& filter, Channel requested, Member member);
  Result<Joined> join(const Subscriber& by, std::string_view room_id, Channel requested,
                      Member member);
  // Removes the connection, and the room if it is empty then. `left` is called before the room is
  // removed.
  Result<void> leave(ConnectionId connection, std::string_view room_id,
                     const std::function<void(Room&)>& left);
  void disconnect(ConnectionId connection, const std::function<void(Room&)>& left);

  const Room* find(std::string_view room_id) const;
  // Adds to the time that the room's filter has taken in that busy period, and returns the sum.
  Span charge(std::string_view room_id, std::uint64_t period, Span taken);
  // The ids of the rooms that a connection is in.
  std::vector<std::string> of(ConnectionId connection) const;
  // Whether it is in a room of that collection.
  bool is_in(ConnectionId connection, const CollectionName& name) const;
  FollowedCollection* followed(const CollectionName& name);
  const std::map<CollectionName, FollowedCollection>& all() const { return collections_; }
  std::size_t subscriptions() const { return subscriptions_; }

  // The rooms whose filters may match the document (matcher.h).
  struct Candidate {
    std::string room_id;
    std::optional<koncorde::Filter> filter;  // as in koncorde::Matcher::Candidate
  };
  std::vector<Candidate> candidates(const CollectionName& name, const koncorde::Subject& subject);
  // Sends `frame` to all members of the room and removes them.
  void close(std::string_view room_id, const std::string& frame);
  void send(ConnectionId connection, const net::SharedText& frame, std::string_view channel);
  // Appends all members of the room that `wants` accepts, and returns their number. Sending to them
  // later needs no lock on the rooms.
  using Wants = std::function<bool(const Channel&, ConnectionId, const Member&)>;
  std::size_t gather(const Room& room, const Wants& wants,
                     std::vector<ChannelRecipients>& into) const;

 private:
  struct Connection {
    std::shared_ptr<Sender> sender;
    // By their ids, with the client whose quota each counts against.
    std::map<std::string_view, std::string> rooms;
    std::map<CollectionName, std::size_t> collections;  // with the number of its rooms
    std::size_t pattern_steps = 0;                      // of its rooms
  };
  // What a client uses. A room counts once, however many of the client's connections are there.
  struct Share {
    std::map<const Room*, std::size_t> rooms;  // with the number of its connections there
    std::size_t filter_bytes = 0;
    std::size_t pattern_steps = 0;
    std::size_t subscriptions = 0;
  };

  Result<Joined> enter(const Subscriber& by, Room& room, Channel requested, Member member);
  // Fails with too_large if the client would exceed its quota.
  Result<void> check_share(const std::string& client, const Room& room) const;
  void add_to_share(const std::string& client, const Room& room);
  void take_from_share(const std::string& client, const Room& room, std::size_t subscriptions);
  void remove(ConnectionId connection, Room& room, const std::function<void(Room&)>& left);

  const std::size_t rooms_max_;
  std::map<ConnectionId, Connection> connections_;
  std::map<std::string, Share> shares_;
  std::map<std::string_view, std::unique_ptr<Room>> rooms_;  // by their ids
  std::map<CollectionName, FollowedCollection> collections_;
  std::size_t subscriptions_ = 0;
  std::size_t filter_bytes_ = 0;
  std::size_t pattern_steps_ = 0;
};

}  // namespace mayfly::kuzzle::realtime
