// Realtime: rooms, channels and who listens; and notifications about documents, out of the feeds of
// the collections. A room is a collection and a filter; a channel of it says which of the room's
// notifications its listeners want.
//
// How the transport uses it:
//   Realtime realtime(database, {…});
//   auto connection = realtime.connect(sender);              // once for each WebSocket
//   Channel wanted = TRY(parse_channel(state, scope, users)); // texts of the request, or empty
//   Subscribed s = TRY(realtime.subscribe(connection, origin, {index, collection}, body,
//                                         wanted, shape));    // → {roomId, channel}
//   realtime.disconnect(connection);                         // a send() may still be under way
//
// How controllers that write use it, so that notifications name the request (otherwise they name
// only what happened: create, update or delete of the controller "document"):
//   auto writing = realtime.writing(origin, {index, collection}, {{"doc1"}, …});
//   const Instant at = TRY(database.transact(…));
//   writing.committed(at);   // not called: nothing was written
//   writing.silent() before committing, for what tells nobody (truncate, bulk).
// An answer to a request by a WebSocket goes through hold_answer(), so that it comes behind the
// notifications that the connection itself gets of that request.
// and, for subscribers to pending states, realtime.pending(…) before the write.
//
// What it needs of a collection: that it keeps a feed (otherwise its subscribers are told nothing
// of documents), and history or trash: who is told that a document has left his scope is found with
// the document as it was before. A collection that does not exist may be subscribed to; it is
// followed from when it is made. Collections are found by name: index = database.
//
// A filter that takes too long ends its subscriptions; their connections get the reason.
//
// Threads: any. send() is called by the job of this object, which alone evaluates filters and
// renders notifications; and of what ends a subscription, by the caller of end().
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

// Takes the frames of one connection. Neither may wait, or call back.
class Sender {
 public:
  virtual ~Sender() = default;
  // One frame in two parts, of which others get the first as well. False where the connection takes
  // no more.
  virtual bool send(const net::SharedText& begin, std::string_view end) = 0;
  // The connection gets too much and is to be ended.
  virtual void give_up() = 0;
};

// Which notifications of a room.
struct Channel {
  enum class State { all, done, pending };
  enum class Some { all, in, out, none };
  State state = State::done;
  Some scope = Some::all;
  Some users = Some::none;
  auto operator<=>(const Channel&) const = default;
};
// Empty texts are the defaults. Fails with invalid, naming state, scope or users.
Result<Channel> parse_channel(std::string_view state, std::string_view scope,
                              std::string_view users);

struct CollectionName {
  std::string index;
  std::string collection;
  auto operator<=>(const CollectionName&) const = default;
};

// Whether its listeners want word of who comes, or leaves.
bool wants_users(const Channel& channel, bool has_come);

struct Subscribed {
  std::string room_id;
  std::string channel;
};

// A document that is about to be written.
struct Target {
  std::string id;
  ChangedFieldsPtr updated_fields = {};  // told of an update, but for v1
};

using ConnectionId = std::uint64_t;
struct Said;  // private

struct Options {
  Facts facts = core_facts;
  bool tells_of_expiry = false;  // a notification with the action "expire" for each death
  std::string node = "mayfly";   // the name of this server, told by v2
  std::size_t rooms_max = limits::realtime_rooms_max;
  std::size_t conditions_max = limits::koncorde_leaves_max;  // of one filter
};

class Realtime {
 public:
  struct State;  // private

  // Notifications are sent by a job of the database; in tests, which start none, by run().
  explicit Realtime(Database& database, Options options = {});
  ~Realtime();

  ConnectionId connect(std::shared_ptr<Sender> sender);
  // Leaves all rooms; others are told.
  void disconnect(ConnectionId connection, const Origin& origin = {});
  // Ends what it has subscribed to in a room: it is told `frame` on each of its channels there, and
  // leaves. Nothing where it is not in the room.
  void end(ConnectionId connection, std::string_view room_id, const std::string& frame);

  // Whether one is new or not, the same answer. Fails as Filter::parse does, with too_large over
  // limits.h (so do the next two) and the options, and with not_found where there is no such
  // connection.
  Result<Subscribed> subscribe(ConnectionId connection, const Origin& origin,
                               const CollectionName& name, const Value& filter, Channel wanted,
                               Shape shape);
  // Fails with not_found where there is no such room.
  Result<Subscribed> join(ConnectionId connection, const Origin& origin, std::string_view room_id,
                          Channel wanted, Shape shape);
  // From all channels of the room. Fails with not_found where it is in none.
  Result<void> unsubscribe(ConnectionId connection, const Origin& origin, std::string_view room_id);
  // The collection that the room is of. Fails with not_found.
  Result<CollectionName> place(std::string_view room_id) const;
  // How many connections are in the room. Fails with not_found.
  Result<std::size_t> count(std::string_view room_id) const;
  // {index: {collection: {roomId: count}}}
  Object list() const;
  std::size_t subscriptions() const;

  // Has it told to those that listen, and keeps nothing. `body` is an object. Fails with throttled
  // where too much is still to be told.
  Result<void> publish(const Origin& origin, const CollectionName& name, const Value& body,
                       std::string_view id = {});
  // A document is about to be written (of a delete: the document as it is). Not told where too much
  // is still to be sent. Fails with contended where a subscriber would get it and the thread may
  // not wait: the request may be done again, and the subscriber would get it twice.
  Result<void> pending(const Origin& origin, const CollectionName& name, std::string_view id,
                       const Value& body);

  // What is being written, and on whose behalf. Until it is let go of (or committed), nobody is
  // sent these documents' events, but for those of commits before it.
  class Writing {
   public:
    Writing(Writing&& other) noexcept;
    Writing& operator=(Writing&&) = delete;
    ~Writing();
    // Nobody shall be told of it.
    void silent();
    void committed(Instant at);

   private:
    friend class Realtime;
    Writing(std::shared_ptr<State> state, std::uint64_t number);
    std::shared_ptr<State> state_;
    std::uint64_t number_;
  };
  Writing writing(Origin origin, const CollectionName& name, std::vector<Target> targets);

  // Whether an answer to the connection has to wait for its own notifications.
  bool holds_answers(ConnectionId connection) const;
  // Has `send` called once they are sent, or cannot be soon; in the order of the calls, by another
  // thread. False, and it is not called, where nothing is to be waited for. `send` may neither wait
  // nor call back.
  bool hold_answer(ConnectionId connection, std::size_t bytes, std::function<void()> send);

  // Collections were made or dropped: those that are subscribed to are looked for again.
  void wake();
  // Tells all there is to tell.
  void run();

 private:
  class Runner;
  // False where too much is to be told already.
  bool say(Said said);
  std::shared_ptr<State> state_;
  std::unique_ptr<Runner> runner_;
};

}  // namespace mayfly::kuzzle::realtime
