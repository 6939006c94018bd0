// Realtime: rooms, channels and their subscribers, and notifications about documents from the feeds
// of the collections. A room is a collection and a filter. A channel of a room selects the kinds of
// notification that its subscribers want.
//
// How the transport uses it:
//   Realtime realtime(database, {…});
//   auto connection = realtime.connect(sender);              // once for each WebSocket
//   Channel wanted = TRY(parse_channel(state, scope, users)); // texts of the request, or empty
//   Subscribed s = TRY(realtime.subscribe(connection, origin, {index, collection}, body,
//                                         wanted, generation));    // → {roomId, channel}
//   realtime.disconnect(connection);                         // a send() may still be under way
//
// Controllers that write use it as follows, so that notifications name the request (otherwise they
// show only the event: create, update or delete of the controller "document"):
//   auto write = realtime.begin_write(origin, {index, collection}, {{"doc1"}, …});
//   const Instant at = TRY(database.transact(…));
//   write.committed(at);   // not called: nothing was written
//   write.suppress() before committing: sends no notifications (truncate, bulk).
// An answer over a WebSocket goes through hold_answer(), so that it follows the notifications that
// the connection itself gets for that request. For subscribers to pending states, controllers call
// realtime.pending(…) before the write.
//
// A collection needs a feed (otherwise its subscribers get no notifications of documents), and
// history or trash: whether a document has left a subscriber's scope is decided with its earlier
// version. A client may subscribe to a collection that does not exist; it is followed once it is
// created. Collections are found by name: index = database.
//
// A filter that takes too long ends its subscriptions; their connections are sent the reason.
//
// Threads: any. The job of this object, which alone evaluates filters and renders notifications,
// calls send(). For the messages about ended subscriptions, the caller of end() does.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "db/database.h"
#include "dialect/kuzzle/koncorde/filter.h"
#include "dialect/kuzzle/koncorde/limits.h"
#include "dialect/kuzzle/realtime/limits.h"
#include "dialect/kuzzle/realtime/notification.h"
#include "net/streams/shared_text.h"

namespace mayfly::kuzzle::realtime {

// Receives the frames of one connection. Its functions must neither block nor call Realtime.
class Sender {
 public:
  virtual ~Sender() = default;
  // One frame in two parts; the first is shared with other connections. False if the connection
  // accepts no more.
  virtual bool send(const net::SharedText& begin, std::string_view end) = 0;
  // The connection is too slow and must be closed.
  virtual void give_up() = 0;
};

// The kinds of notification from a room that a subscriber wants.
struct Channel {
  enum class State { all, done, pending };
  enum class Selection { all, in, out, none };
  State state = State::done;
  Selection scope = Selection::all;
  Selection users = Selection::none;
  auto operator<=>(const Channel&) const = default;
};
// Empty texts mean the defaults. Fails with invalid, naming state, scope or users.
Result<Channel> parse_channel(std::string_view state, std::string_view scope,
                              std::string_view users);

struct CollectionName {
  std::string index;
  std::string collection;
  auto operator<=>(const CollectionName&) const = default;
};

// Whether the channel's subscribers want notifications of users that enter, or leave.
bool wants_users(const Channel& channel, bool has_entered);

struct Subscribed {
  std::string room_id;
  std::string channel;
};

// A document that is about to be written.
struct Target {
  std::string id;
  ChangedFieldsPtr updated_fields = {};  // shown for an update, except in v1
};

using ConnectionId = std::uint64_t;
struct TransientEvent;  // private

struct Options {
  Facts facts = core_facts;
  bool notifies_expiry = false;  // a notification with the action "expire" for each expiration
  std::string node = "mayfly";   // the name of this server, shown in v2
  std::size_t rooms_max = limits::realtime_rooms_max;
  std::size_t conditions_max = limits::koncorde_leaves_max;  // of one filter
};

class Realtime {
 public:
  struct State;  // private

  // A job of the database sends notifications. Tests that start no jobs call run().
  explicit Realtime(Database& database, Options options = {});
  ~Realtime();

  ConnectionId connect(std::shared_ptr<Sender> sender);
  // Leaves all rooms; the others there are notified.
  void disconnect(ConnectionId connection, const NotificationOrigin& origin = {});
  // Ends the connection's subscriptions in a room: sends `frame` on each of its channels there and
  // removes it. Does nothing if it is not in the room.
  void end(ConnectionId connection, std::string_view room_id, const std::string& frame);

  // The result is the same for a new and an existing room. Fails as Filter::parse does, with
  // too_large over limits.h (so do the next two) and the options, and with not_found if the
  // connection does not exist.
  Result<Subscribed> subscribe(ConnectionId connection, const NotificationOrigin& origin,
                               const CollectionName& name, const Value& filter, Channel requested,
                               const Generation& generation);
  // Fails with not_found if there is no such room.
  Result<Subscribed> join(ConnectionId connection, const NotificationOrigin& origin,
                          std::string_view room_id, Channel requested,
                          const Generation& generation);
  // Leaves all channels of the room. Fails with not_found if the connection is in none.
  Result<void> unsubscribe(ConnectionId connection, const NotificationOrigin& origin,
                           std::string_view room_id);
  // The room's collection. Fails with not_found.
  Result<CollectionName> place(std::string_view room_id) const;
  // The number of connections in the room. Fails with not_found.
  Result<std::size_t> count(std::string_view room_id) const;
  // {index: {collection: {roomId: count}}}
  Object list() const;
  std::size_t subscriptions() const;

  // Sends a message to subscribers without storing it. `body` is an object. Fails with throttled if
  // too much is queued.
  Result<void> publish(const NotificationOrigin& origin, const CollectionName& name,
                       const Value& body, std::string_view id = {});
  // Notifies that a document is about to be written (for a delete: the document as it is). Sends
  // nothing if too much is queued. Fails with contended if a subscriber would get the notification
  // and the thread may not block: the request may be repeated, and the subscriber would get it
  // twice.
  Result<void> pending(const NotificationOrigin& origin, const CollectionName& name,
                       std::string_view id, const Value& body);

  // A write in progress and its origin. Until it is committed or destroyed, no events of these
  // documents are sent, except of earlier commits.
  class PendingWrite {
   public:
    PendingWrite(PendingWrite&& other) noexcept;
    PendingWrite& operator=(PendingWrite&&) = delete;
    ~PendingWrite();
    // Sends no notifications of this write.
    void suppress();
    void committed(Instant at);

   private:
    friend class Realtime;
    PendingWrite(std::shared_ptr<State> state, std::uint64_t number);
    std::shared_ptr<State> state_;
    std::uint64_t number_;
  };
  PendingWrite begin_write(NotificationOrigin origin, const CollectionName& name,
                           std::vector<Target> targets);

  // Whether an answer to the connection must wait for its own notifications.
  bool holds_answers(ConnectionId connection) const;
  // Calls `send` once the notifications are sent or will not be sent soon; for each connection in
  // the order of the calls, mostly on another thread. Returns false, and does not call it, if there
  // is nothing to wait for, or if too much is held already: then the answers held before for this
  // connection are sent first, on this thread. `send` must neither block nor call Realtime.
  bool hold_answer(ConnectionId connection, std::size_t bytes, std::function<void()> send);

  // Collections were created or dropped: looks again for those with subscriptions.
  void wake();
  // Sends everything that is due.
  void run();

 private:
  class Runner;
  // False if too much is queued already.
  bool enqueue(TransientEvent event);
  std::shared_ptr<State> state_;
  std::unique_ptr<Runner> runner_;
};

}  // namespace mayfly::kuzzle::realtime
