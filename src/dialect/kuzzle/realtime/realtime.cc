#include "dialect/kuzzle/realtime/realtime.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/threads/no_wait.h"
#include "dialect/kuzzle/realtime/state.h"
#include "expr/evaluation/meter.h"

namespace mayfly::kuzzle::realtime {
namespace {

template <class Enum>
struct NamedValue {
  std::string_view name;
  Enum value;
};

template <class Enum, std::size_t n>
Result<Enum> chosen(std::string_view text, const NamedValue<Enum> (&choices)[n], Enum otherwise,
                    const std::string& field) {
  if (text.empty()) return otherwise;
  std::string names;
  for (const NamedValue<Enum>& choice : choices) {
    if (choice.name == text) return choice.value;
    names += (names.empty() ? "" : ", ") + std::string(choice.name);
  }
  return fail(Code::invalid, field + " is one of " + names, field);
}

tl::unexpected<Error> unknown_room(std::string_view room_id) {
  return fail(Code::not_found, "The room id " + std::string(room_id) + " is unknown", "roomId");
}

// All others in the room are sent it.
Result<void> check_volatile(const NotificationOrigin& origin) {
  if (weight(origin.volatile_data) <= limits::realtime_volatile_bytes_max) return {};
  return fail(Code::too_large,
              fmt::format("volatile is too large: with a subscription it may take {} bytes",
                          limits::realtime_volatile_bytes_max),
              "volatile");
}

}  // namespace

bool wants_users(const Channel& channel, bool has_entered) {
  if (channel.users == Channel::Selection::all) return true;
  return channel.users == (has_entered ? Channel::Selection::in : Channel::Selection::out);
}

Result<Channel> parse_channel(std::string_view state, std::string_view scope,
                              std::string_view users) {
  using State = Channel::State;
  using Selection = Channel::Selection;
  static constexpr NamedValue<State> states[] = {
      {"all", State::all}, {"done", State::done}, {"pending", State::pending}};
  static constexpr NamedValue<Selection> some[] = {{"all", Selection::all},
                                                   {"in", Selection::in},
                                                   {"out", Selection::out},
                                                   {"none", Selection::none}};
  Channel channel;
  channel.state = TRY(chosen(state, states, State::done, "state"));
  channel.scope = TRY(chosen(scope, some, Selection::all, "scope"));
  channel.users = TRY(chosen(users, some, Selection::none, "users"));
  return channel;
}

// --- the job ---

class Realtime::Runner {
 public:
  explicit Runner(std::shared_ptr<State> state) : state_(std::move(state)), pump_(*state_) {
    job_ = state_->database.jobs().add(
        {.name = "kuzzle realtime",
         .lane = JobLane::events,
         .run = [this](const JobRun&) -> Result<NextRun> { return run_job(); },
         .retry_max = limits::job_retry_first});
    set_job(&job_);
  }
  ~Runner() {
    set_job(nullptr);
    job_.remove();
  }
  void run() {
    while (run_once()) {
    }
  }

 private:
  void set_job(const JobHandle* job) {
    const std::lock_guard lock(state_->wake_mutex);
    state_->job = job;
  }
  NextRun run_job() {
    constexpr Span between_looks =
        Span::seconds(1);  // for collections that are created without a call of wake()
    {
      const std::lock_guard lock(state_->wake_mutex);
      state_->is_woken = false;
    }
    if (run_once()) return NextRun::immediately();
    if (is_done()) state_->rest();
    const std::lock_guard lock(state_->mutex);
    return state_->rooms.all().empty() ? NextRun::when_woken() : NextRun::after(between_looks);
  }
  // Returns whether there is more to send immediately.
  bool run_once() {
    const std::lock_guard lock(mutex_);
    return pump_.run();
  }
  bool is_done() const {
    const std::lock_guard lock(state_->wake_mutex);
    return !state_->is_woken;
  }

  const std::shared_ptr<State> state_;
  std::mutex mutex_;
  Pump pump_;
  JobHandle job_;
};

Realtime::Realtime(Database& database, Options options)
    : state_(std::make_shared<State>(database, std::move(options))),
      runner_(std::make_unique<Runner>(state_)) {}

Realtime::~Realtime() = default;

void Realtime::wake() {
  state_->wake();
}

void Realtime::run() {
  runner_->run();
}

// --- who listens ---

void Realtime::State::queue_user_notification(std::shared_ptr<const NotificationOrigin> origin,
                                              const Room& room, bool has_entered,
                                              ConnectionId about) {
  ++entries;
  const bool is_selected = std::any_of(
      room.channels.begin(), room.channels.end(),
      [has_entered](const auto& channel) { return wants_users(channel.first, has_entered); });
  if (!is_selected) return;
  MembershipChange change{.origin = std::move(origin),
                          .name = room.name,
                          .room_id = room.id,
                          .at = database.now(),
                          .has_entered = has_entered,
                          .about = about,
                          .count = room.connections.size(),
                          .entry = entries};
  change.bytes = weight(change.origin->volatile_data);
  const std::lock_guard lock(wake_mutex);
  if (membership_changes.size() >= limits::realtime_user_changes_max ||
      membership_changes_bytes + change.bytes > limits::realtime_user_changes_bytes_max) {
    return;
  }
  membership_changes_bytes += change.bytes;
  membership_changes.push_back(std::move(change));
  is_woken = true;
  wake_job();
}

ConnectionId Realtime::connect(std::shared_ptr<Sender> sender) {
  const std::lock_guard lock(state_->mutex);
  const ConnectionId connection = state_->next_connection++;
  state_->rooms.connect(connection, std::move(sender));
  return connection;
}

void Realtime::disconnect(ConnectionId connection, const NotificationOrigin& origin) {
  state_->held.forget(connection);
  const auto from = std::make_shared<const NotificationOrigin>(origin);
  const std::lock_guard lock(state_->mutex);
  state_->rooms.disconnect(connection, [&](Room& room) {
    state_->queue_user_notification(from, room, false, connection);
  });
}

void Realtime::end(ConnectionId connection, std::string_view room_id, const std::string& frame) {
  const std::lock_guard lock(state_->mutex);
  const Room* room = state_->rooms.find(room_id);
  if (room == nullptr) return;
  const net::SharedText text = net::make_shared_text(frame);
  for (const auto& [channel, members] : room->channels) {
    if (!members.members.contains(connection)) continue;
    state_->rooms.send(connection, text, members.name);
  }
  const auto unknown_origin = std::make_shared<const NotificationOrigin>();
  (void)state_->rooms.leave(connection, room_id, [&](Room& left) {
    state_->queue_user_notification(unknown_origin, left, false, connection);
  });
}

Result<Subscribed> Realtime::subscribe(ConnectionId connection, const NotificationOrigin& origin,
                                       const CollectionName& name, const Value& filter,
                                       Channel requested, const Generation& generation) {
  TRY(check_volatile(origin));
  const koncorde::Filter parsed = TRY(koncorde::Filter::parse(filter));
  const std::size_t conditions = parsed.conditions();
  if (conditions > state_->options.conditions_max) {
    return fail(Code::too_large,
                fmt::format("Unable to subscribe: maximum number of terms exceeded (max {}, "
                            "received {}).",
                            state_->options.conditions_max, conditions),
                "core.realtime.too_many_terms");
  }
  const auto from = std::make_shared<const NotificationOrigin>(origin);
  const std::lock_guard lock(state_->mutex);
  const Member member{&generation, state_->database.now(), ++state_->entries};
  const Rooms::Joined joined =
      TRY(state_->rooms.subscribe({connection, origin.client}, name, parsed, requested, member));
  if (joined.is_new) state_->queue_user_notification(from, *joined.room, true, connection);
  state_->wake();
  return joined.subscribed;
}

Result<Subscribed> Realtime::join(ConnectionId connection, const NotificationOrigin& origin,
                                  std::string_view room_id, Channel requested,
                                  const Generation& generation) {
  TRY(check_volatile(origin));
  const auto from = std::make_shared<const NotificationOrigin>(origin);
  const std::lock_guard lock(state_->mutex);
  const Member member{&generation, state_->database.now(), ++state_->entries};
  const Rooms::Joined joined =
      TRY(state_->rooms.join({connection, origin.client}, room_id, requested, member));
  if (joined.is_new) state_->queue_user_notification(from, *joined.room, true, connection);
  return joined.subscribed;
}

Result<void> Realtime::unsubscribe(ConnectionId connection, const NotificationOrigin& origin,
                                   std::string_view room_id) {
  TRY(check_volatile(origin));
  const auto from = std::make_shared<const NotificationOrigin>(origin);
  const std::lock_guard lock(state_->mutex);
  return state_->rooms.leave(connection, room_id, [&](Room& room) {
    state_->queue_user_notification(from, room, false, connection);
  });
}

Result<CollectionName> Realtime::place(std::string_view room_id) const {
  const std::lock_guard lock(state_->mutex);
  const Room* room = state_->rooms.find(room_id);
  if (room == nullptr) return unknown_room(room_id);
  return room->name;
}

Result<std::size_t> Realtime::count(std::string_view room_id) const {
  const std::lock_guard lock(state_->mutex);
  const Room* room = state_->rooms.find(room_id);
  if (room == nullptr) return unknown_room(room_id);
  return room->connections.size();
}

Object Realtime::list() const {
  const std::lock_guard lock(state_->mutex);
  Object indexes;
  // Ordered by name, so that no look-up is needed.
  for (const auto& [name, followed] : state_->rooms.all()) {
    Object rooms;
    for (const auto& [filter, room] : followed.rooms) {
      rooms.append(room->id, Value(static_cast<std::int64_t>(room->connections.size())));
    }
    const bool is_first = indexes.empty() || (indexes.end() - 1)->first != name.index;
    if (is_first) indexes.append(name.index, Value(Object()));
    (indexes.end() - 1)->second.mutable_object().append(name.collection, Value(std::move(rooms)));
  }
  return indexes;
}

std::size_t Realtime::subscriptions() const {
  const std::lock_guard lock(state_->mutex);
  return state_->rooms.subscriptions();
}

// --- transient events ---

// Nothing is sent here: finding the subscribers takes long, and the publisher may not wait for
// that.
bool Realtime::enqueue(TransientEvent event) {
  bool is_own = false;
  {
    const std::lock_guard lock(state_->mutex);
    if (state_->rooms.followed(event.name) == nullptr) return true;
    is_own = state_->rooms.is_in(event.origin.connection, event.name);
  }
  event.bytes = weight(event.body) + weight(event.origin.volatile_data);
  {
    const std::lock_guard lock(state_->wake_mutex);
    if (state_->transient_events.size() >= limits::realtime_transient_max ||
        state_->transient_bytes + event.bytes > limits::realtime_transient_bytes_max) {
      return false;
    }
    state_->transient_bytes += event.bytes;
    event.number = ++state_->transient_count;
    if (is_own) state_->held.published(event.origin.connection, event.number);
    state_->transient_events.push_back(std::move(event));
  }
  state_->wake();
  return true;
}

Result<void> Realtime::publish(const NotificationOrigin& origin, const CollectionName& name,
                               const Value& body, std::string_view id) {
  const Instant now = state_->database.now();
  if (enqueue({origin, name, std::string(id), body, now})) return {};
  return fail(Code::throttled, "too many messages are waiting to be published; try again later");
}

Result<void> Realtime::pending(const NotificationOrigin& origin, const CollectionName& name,
                               std::string_view id, const Value& body) {
  {
    const std::lock_guard lock(state_->mutex);
    const FollowedCollection* followed = state_->rooms.followed(name);
    if (followed == nullptr || followed->pending_listeners == 0) return {};
  }
  if (NoWait::refuses()) return fail(Code::contended, "a pending notification is sent only once");
  (void)enqueue({origin, name, std::string(id), body, state_->database.now(), true});
  return {};
}

// --- who writes ---

Realtime::PendingWrite::PendingWrite(std::shared_ptr<State> state, std::uint64_t number)
    : state_(std::move(state)), number_(number) {}

Realtime::PendingWrite::PendingWrite(PendingWrite&& other) noexcept
    : state_(std::move(other.state_)), number_(std::exchange(other.number_, 0)) {}

Realtime::PendingWrite::~PendingWrite() {
  if (number_ == 0) return;
  {
    const std::lock_guard lock(state_->mutex);
    state_->pending_writes.drop(number_);
  }
  state_->wake();
}

void Realtime::PendingWrite::suppress() {
  if (number_ == 0) return;
  const std::lock_guard lock(state_->mutex);
  state_->pending_writes.suppress(number_);
}

void Realtime::PendingWrite::committed(Instant at) {
  if (number_ == 0) return;
  {
    const std::lock_guard lock(state_->mutex);
    const auto written = state_->pending_writes.commit(std::exchange(number_, 0), at);
    const bool is_own = written && state_->rooms.is_in(written->connection, written->name);
    if (is_own) state_->held.wrote(written->connection, written->name, at);
  }
  state_->wake();
}

Realtime::PendingWrite Realtime::begin_write(NotificationOrigin origin, const CollectionName& name,
                                             std::vector<Target> targets) {
  const std::lock_guard lock(state_->mutex);
  std::uint64_t number = 0;
  if (state_->rooms.followed(name) != nullptr) {
    number = state_->pending_writes.begin(std::move(origin), name, std::move(targets),
                                          state_->database.now());
  }
  return {state_, number};
}

}  // namespace mayfly::kuzzle::realtime
