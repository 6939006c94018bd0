#include "simulate/delivery/delivery.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "base/check.h"
#include "db/expiry/sweeper.h"
#include "db/feed/event_images.h"
#include "delivery/deliveries.h"
#include "delivery/rows/dead_letter.h"
#include "delivery/rows/log.h"
#include "delivery/rows/origin.h"
#include "delivery/standing.h"
#include "simulate/delivery/target.h"
#include "simulate/engine.h"
#include "store/wrappers/checked.h"
#include "value/json/json.h"

namespace mayfly::simulate::deliveries {

using delivery::AttemptOutcome;
using delivery::DeadLetter;
using delivery::Deliveries;
using delivery::LogRow;
using delivery::Subscription;

namespace {

constexpr std::int64_t values = 3;      // of the member that filters test
constexpr std::uint64_t documents = 4;  // of a collection
constexpr std::size_t subscriptions_max = 6;
const std::vector<std::string> names{"first", "second"};
constexpr Span long_time = Span::seconds(100'000'000);
// Shorter than targets fail, and than subscriptions are paused.
constexpr Span short_time = Span::seconds(150);
const CollectionChange keeps_all{.keep_history_for = long_time, .keep_feed_for = long_time};

constexpr Event::Kind kinds[] = {Event::Kind::created, Event::Kind::replaced, Event::Kind::removed,
                                 Event::Kind::expired};

std::string value_of(const std::optional<Document>& document) {
  if (!document) return "";
  const Value n = document->body.member("n");
  return n.is(Kind::integer) ? std::to_string(n.integer()) : "";
}

}  // namespace

void SimulatedTarget::send(const delivery::DeliveryAttempt& attempt, Done done) {
  AttemptOutcome outcome;
  const std::uint64_t what = arrivals_.fails ? arrivals_.random.below(12) : 11;
  if (what == 0) outcome = {AttemptOutcome::Kind::away, "away"};
  if (what == 3) outcome = {AttemptOutcome::Kind::interrupted, "interrupted"};
  if (what == 1) outcome = {AttemptOutcome::Kind::refused, "refused"};
  if (what > 1) {  // an interrupted one has arrived, too
    ++arrivals_.count;
    arrivals_.taken[attempt.subscription].push_back(attempt.message.id);
  }
  // It has arrived, and the answer is lost.
  if (what == 2) outcome = {AttemptOutcome::Kind::away, "lost"};
  if (what > 6 || !arrivals_.fails) return done(std::move(outcome));
  arrivals_.late.emplace_back(std::move(done), std::move(outcome));
}

namespace {

class DeliveryRun {
 public:
  explicit DeliveryRun(const DeliveryOptions& options)
      : options_(options), random_(options.seed), arrivals_(options.seed * 2 + 1) {}

  DeliveryOutcome run() {
    open();
    prepare();
    for (step_ = 1; step_ <= options_.steps && !outcome_.failure; ++step_) do_step();
    settle();
    compare();
    outcome_.arrivals = arrivals_.count;
    return std::move(outcome_);
  }

 private:
  // --- the process ---

  void open() {
    auto engine = std::make_unique<Engine>(disk_, Plant::none);
    engine_ = engine.get();
    auto opened = Database::open(std::make_unique<store::CheckedStore>(std::move(engine)), clock_,
                                 !options_.forgets_holds);
    CHECK(opened.has_value());
    database_ = std::move(*opened);
    std::vector<std::unique_ptr<delivery::Target>> targets;
    targets.push_back(std::make_unique<SimulatedTarget>(arrivals_));
    deliveries_ = std::make_unique<Deliveries>(*database_, database_->jobs(), own_random_,
                                               std::move(targets));
    deliveries_->add_format(
        {.name = "simulated",
         .event_name = [](Event::Kind kind) { return name_of(kind); },
         .render = [](const delivery::MessageParts& parts, std::string& payload) -> Result<void> {
           payload = parts.event.key.id;
           return {};
         }});
    deliveries_->add_standing({.id = "standing", .format = "simulated", .target = "simulated"});
  }

  void prepare() {
    home_ = (*database_->create_database("home"))->id;
    CollectionChange kept = keeps_all;
    if (options_.has_short_feeds) kept.keep_feed_for = short_time;
    for (const std::string& name : names) {
      CHECK(database_->create_collection(home_, {name, kept}).has_value());
    }
    CHECK(delivery::ensure_subscription_tables(*database_, home_).has_value());
    CHECK(PrivateTable<LogRow>::ensure(*database_, home_).has_value());
    filters_[standing().id] = {};
    sync();
  }

  Subscription standing() {
    return deliveries_->standing(*database_->catalog()->database(home_)).at(0);
  }

  void sync() { database_->store().sync(database_->store().applied()); }

  void crash(bool keeps_all_writes) {
    ++outcome_.crashes;
    deliveries_.reset();
    database_.reset();
    arrivals_.late.clear();
    const std::size_t unsynced = disk_.unsynced_foreground();
    const std::size_t lost = keeps_all_writes ? 0 : random_.below(unsynced + 1);
    disk_.crash(lost, random_.below(3));
    open();
  }

  // --- events ---

  void do_step() {
    switch (random_.below(19)) {
      case 0: return subscribe();
      case 1: return change_subscription();
      case 2: return crash(random_.below(2) == 0);
      case 3: arrivals_.is_closed = random_.below(3) == 0; return;
      case 4:
      case 5: return pass_time();
      case 6: return fail_next();
      case 7: return sync();
      case 8:
      case 9:
      case 10: return run_jobs();
      case 11: return pass();
      case 12: return change_pending();
      default: return write();
    }
  }

  void pass_time() {
    if (!options_.has_short_feeds) {
      return clock_.advance(Span::seconds(static_cast<std::int64_t>(random_.below(400))));
    }
    sync();
    clock_.advance(
        Span::seconds(static_cast<std::int64_t>(random_.below(short_time.micros / 2'000'000))));
    note_events();
  }

  // The value in the document of the event. A read that fails is repeated.
  std::string value_in(const Collection& collection, const Event& event) {
    while (true) {
      LazyView late(*database_);
      EventImages images(late, collection, event);
      const auto& after = images.after();
      const std::string value = value_of(after ? after : images.before());
      if (!images.has_failed()) return value;
    }
  }

  // Notes events before they leave the feed. Events that can be read are durable.
  void note_events() {
    sync();
    for (const std::string& name : names) {
      const CollectionPtr c = database_->catalog()->find_collection(home_, name);
      std::map<FeedPosition, NotedEvent>& known = noted_events_[name];
      const FeedPosition last = known.empty() ? FeedPosition() : known.rbegin()->first;
      auto page = database_->feed().read(*c, last, 1'000'000);
      while (!page) page = database_->feed().read(*c, last, 1'000'000);
      for (const Event& event : page->events) {
        known.emplace(FeedPosition{event.committed_at, event.number},
                      NotedEvent{event.kind, delivery::message_id("", c->id, event),
                                 name + "/" + event.key.id, value_in(*c, event)});
      }
    }
  }

  void run_jobs() {
    engine_->set_foreground(false);
    (void)database_->sweeper().run_due(random_.below(4));
    for (std::uint64_t i = random_.below(4); i < 5; ++i) {
      database_->jobs().run_due();
      arrivals_.end_one();
    }
    engine_->set_foreground(true);
  }

  void fail_next() {
    engine_->set_foreground(random_.below(2) == 0);
    constexpr Fault::Kind faults[] = {Fault::Kind::contended, Fault::Kind::no_space,
                                      Fault::Kind::unreadable};
    engine_->fail_next(
        {faults[random_.below(std::size(faults))], static_cast<int>(random_.below(4))});
    engine_->set_foreground(true);
  }

  CollectionPtr any_collection() {
    return database_->catalog()->find_collection(home_, names[random_.below(names.size())]);
  }

  // One or several documents in one transaction. It may fail, which is no failure here.
  void write() {
    (void)database_->transact([&](Transaction& t) -> Result<void> {
      for (std::uint64_t i = random_.below(3); i < 3; ++i) TRY(write_one(t));
      return {};
    });
  }

  Result<void> write_one(Transaction& t) {
    const CollectionPtr c = any_collection();
    const DocumentKey key =
        DocumentKey::of(std::string(1, static_cast<char>('a' + random_.below(documents))));
    if (random_.below(4) == 0) {
      if (!TRY(t.view().get(*c, key, t.view().live()))) return {};
      return t.remove(c, key, {});
    }
    PutOptions options;
    if (random_.below(2) == 0) {
      options.lifetime = After{Span::seconds(1 + static_cast<std::int64_t>(random_.below(500)))};
    }
    const std::string json = fmt::format(R"({{"n":{}}})", random_.below(values));
    TRY(t.put(c, key, *pack_json(json), options));
    return {};
  }

  // A database that exists for a while, with messages of its own.
  void pass() {
    const DatabaseInfoPtr there = database_->catalog()->find_database("passing");
    if (there && random_.below(2) == 0) return void(database_->drop_database(there->id));
    if (!there) {
      const auto made = database_->create_database("passing");
      if (made) (void)database_->create_collection((*made)->id, {"c", keeps_all});
      return;
    }
    const CollectionPtr c = database_->catalog()->find_collection(there->id, "c");
    if (!c) return;
    (void)database_->transact([&](Transaction& t) -> Result<void> {
      const DocumentKey key = DocumentKey::of(std::to_string(random_.below(documents)));
      TRY(t.put(c, key, *pack_json("{}"), {}));
      return {};
    });
  }

  // --- subscriptions ---

  PrivateTable<Subscription> table() {
    return PrivateTable<Subscription>::find(*database_->catalog(), home_);
  }

  void put(const Subscription& one) {
    const Deliveries::SubscriptionChange held(*deliveries_, home_);
    (void)database_->transact([&](Transaction& t) -> Result<void> {
      return table().put(t, DocumentKey::of(one.id), one);
    });
  }

  void subscribe() {
    if (filters_.size() >= subscriptions_max) return;
    Subscription made{.id = random_.uuid(),
                      .format = "simulated",
                      .target = "simulated",
                      .from = {database_->now(), UINT32_MAX},
                      .attempts_max = 1 + random_.below(4)};
    made.is_logged = random_.below(3) == 0;
    if (random_.below(2) == 0) made.collections = {names[random_.below(names.size())]};
    if (random_.below(2) == 0) made.kinds = {kinds[random_.below(std::size(kinds))]};
    Filter expected;
    if (random_.below(2) == 0) {
      expected.value = std::to_string(random_.below(values));
      const auto filter = expr::equal(
          expr::body("n"), expr::literal(Value(std::int64_t{std::stoll(expected.value)})));
      made.filter = *StoredExpression::of(filter);
    }
    filters_[made.id] = expected;
    put(made);
  }

  void change_subscription() {
    if (filters_.empty()) return;
    auto one = filters_.begin();
    std::advance(one, random_.below(filters_.size()));
    auto found = table().get(*database_, DocumentKey::of(one->first));
    if (!found || !*found) return;
    Subscription changed = **found;
    changed.is_paused = !changed.is_paused;
    put(changed);
  }

  // Cancels a pending message, or sends it immediately.
  void change_pending() {
    const Deliveries::SubscriptionChange held(*deliveries_, home_);
    (void)database_->transact([&](Transaction& t) -> Result<void> {
      const auto log = PrivateTable<LogRow>::find(t.view().catalog(), home_);
      std::vector<LogRow> pending = TRY(log.list(t.view()));
      std::erase_if(pending,
                    [](const LogRow& row) { return row.status != LogRow::Status::pending; });
      if (pending.empty()) return {};
      LogRow& row = pending[random_.below(pending.size())];
      if (random_.below(2) == 0) {
        row.cancel();
      } else {
        row.attempts = 0;
        row.next_at = t.now();
      }
      row.asked_at = t.now();
      return log.put(t, row.key(), row);
    });
  }

  // --- the end ---

  // Nothing fails any more, and nothing is paused; until nothing is left to send.
  void settle() {
    arrivals_.fails = false;
    arrivals_.is_closed = false;
    crash(true);
    std::vector<Subscription> all;
    {
      View view = database_->view();
      all = *table().list(view);
    }
    for (Subscription& one : all) {
      if (!std::exchange(one.is_paused, false)) continue;
      put(one);
    }
    for (int n = 0; n < 10; ++n) {
      clock_.advance(Span{short_time.micros / 2});
      note_events();
    }
    for (int hours = 0; hours < 6; ++hours) {
      CHECK(database_->sweeper().run_due(1'000).has_value());
      for (int i = 0; i < 50; ++i) database_->jobs().run_due();
      clock_.advance(Span::seconds(4'000));
    }
  }

  void compare() {
    // All messages have the same, which is stored before the first one.
    const auto origin = delivery::read_origin(*database_);
    if (!origin->empty()) origin_ = *origin + "-";
    View view = database_->view();
    const auto all = table().list(view);
    for (const Subscription& one : *all) compare(one, view);
    compare(standing(), view);
  }

  void compare(const Subscription& one, View& view) {
    std::map<std::string, std::deque<std::string>> expected;  // by documents
    std::set<std::string> ids;
    for (const std::string& name : names) list_expected(one, name, expected, ids);
    outcome_.events += ids.size();
    std::set<std::string> dead;
    const auto letters = PrivateTable<DeadLetter>::find(view.catalog(), home_).list(view);
    for (const DeadLetter& letter : *letters) {
      if (letter.subscription == one.id) dead.insert(letter.message.id);
    }
    const auto log = PrivateTable<LogRow>::find(view.catalog(), home_).list(view);
    for (const LogRow& row : *log) {
      if (row.subscription != one.id || row.status == LogRow::Status::delivered) continue;
      if (row.status == LogRow::Status::pending) fail(one, "is still pending: " + row.message.id);
      dead.insert(row.message.id);
    }
    outcome_.dead += dead.size();
    std::set<std::string> seen;
    for (const std::string& id : arrivals_.taken[one.id]) {
      outcome_.trace = outcome_.trace * 31 + std::hash<std::string>{}(id);
      if (!ids.contains(id)) return fail(one, "arrived though it was not asked for: " + id);
      if (!seen.insert(id).second) continue;  // a repetition
      auto& line = expected[document_of_.at(id)];
      // Earlier messages arrived, or were given up.
      while (!line.empty() && line.front() != id && dead.contains(line.front())) line.pop_front();
      if (line.empty() || line.front() != id) {
        if (dead.contains(id))
          continue;  // it arrived, and its answer was lost until it was given up
        return fail(one, fmt::format("{} arrived out of order, before {}", id,
                                     line.empty() ? "none" : line.front()));
      }
      line.pop_front();
    }
    for (const std::string& id : ids) {
      if (!seen.contains(id) && !dead.contains(id)) return fail(one, "never arrived: " + id);
    }
  }

  void list_expected(const Subscription& one, const std::string& name,
                     std::map<std::string, std::deque<std::string>>& expected,
                     std::set<std::string>& ids) {
    const bool is_meant = one.collections.empty() || one.collections.front() == name;
    if (!is_meant) return;
    const std::string& value = filters_.at(one.id).value;
    for (const auto& [position, event] : noted_events_[name]) {
      if (position <= one.from) continue;
      if (!one.kinds.empty() && !one.kinds.contains(event.kind)) continue;
      if (!value.empty() && event.value != value) continue;
      const std::string id = origin_ + event.id;
      document_of_[id] = event.document;
      expected[event.document].push_back(id);
      ids.insert(id);
    }
  }

  void fail(const Subscription& one, const std::string& what) {
    if (outcome_.failure) return;
    outcome_.failure = fmt::format("seed {}, {} steps: subscription {}: {}", options_.seed,
                                   options_.steps, one.id, what);
  }

  // An event of the feed.
  struct NotedEvent {
    Event::Kind kind;
    std::string id;  // of its message, without the origin
    std::string document;
    std::string value;  // of the member that filters test
  };
  struct Filter {
    std::string value;  // of the member that the filter tests; empty: there is no filter
  };

  const DeliveryOptions options_;
  Random random_;
  Random own_random_{1};  // of the engine
  Arrivals arrivals_;
  Disk disk_;
  ManualClock clock_{Instant::from_seconds(1'000'000)};
  std::unique_ptr<Database> database_;
  Engine* engine_ = nullptr;  // of the database
  std::unique_ptr<Deliveries> deliveries_;
  DatabaseId home_ = 0;
  std::map<std::string, Filter> filters_;
  std::map<std::string, std::map<FeedPosition, NotedEvent>> noted_events_;  // by collections
  std::map<std::string, std::string> document_of_;  // by the ids of messages
  std::string origin_;  // of the ids of messages, with what separates it from the rest
  std::size_t step_ = 0;
  DeliveryOutcome outcome_;
};

}  // namespace

}  // namespace mayfly::simulate::deliveries

namespace mayfly::simulate {

DeliveryOutcome simulate_deliveries(const DeliveryOptions& options) {
  return deliveries::DeliveryRun(options).run();
}

}  // namespace mayfly::simulate
