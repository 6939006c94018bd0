// Deliveries on a database in memory, to a target whose outcomes the test decides. No threads:
// run() runs the jobs that are due.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "db/testing.h"
#include "delivery/deliveries.h"
#include "delivery/rows/dead_letter.h"
#include "delivery/standing.h"

namespace mayfly::delivery::testing {

using mayfly::testing::must;
using mayfly::testing::second;
using mayfly::testing::World;

struct SentMessage {
  std::string id;
  std::string payload;
  std::int64_t attempt = 1;
};

// The target's outcome for a message; nullopt: the attempt stays in flight until the test ends it.
using AnswerFunction = std::function<std::optional<AttemptOutcome>(const SentMessage&)>;

class FakeTarget final : public Target {
 public:
  struct Shared {
    std::vector<SentMessage> sent;
    std::vector<Done> in_flight;
    AnswerFunction answer = [](const SentMessage&) { return AttemptOutcome{}; };
    std::size_t at_once = 16;
    std::size_t at_once_of_database = SIZE_MAX;
    std::size_t batch_max = 1;
    std::optional<std::string> closed;
    std::uint64_t openings = 0;
    std::function<void()> changed;
  };
  explicit FakeTarget(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}

  std::string_view kind() const override { return "fake"; }
  Result<Object> settings_of(const Object& asked) const override { return asked; }
  Object shown(const Object& settings) const override { return settings; }
  std::size_t at_once() const override { return shared_->at_once; }
  std::size_t at_once_of_database() const override { return shared_->at_once_of_database; }
  std::size_t batch_max(const Object&) const override { return shared_->batch_max; }
  std::optional<std::string> closed() const override { return shared_->closed; }
  std::uint64_t openings() const override { return shared_->openings; }
  void watch(std::function<void()> changed) override { shared_->changed = std::move(changed); }
  void send(const DeliveryAttempt& attempt, Done done) override {
    SentMessage& sent = shared_->sent.emplace_back(
        SentMessage{attempt.message.id, attempt.message.payload, attempt.number});
    for (const Message* other : attempt.others) sent.payload += "+" + other->payload;
    auto outcome = shared_->answer(SentMessage(sent));
    if (outcome) {
      done(*std::move(outcome));
    } else {
      shared_->in_flight.push_back(std::move(done));
    }
  }

 private:
  const std::shared_ptr<Shared> shared_;
};

inline const CollectionChange with_feed{.keep_history_for = Span::seconds(100'000'000),
                                        .keep_feed_for = Span::seconds(100'000'000)};

class DeliveryWorld {
 public:
  DeliveryWorld() { start(); }

  // Creates the engine, as a start of the server does.
  void start() {
    engine.reset();
    engine = make_engine(world.database->jobs(), target);
  }
  // One more, as of another server on the same store.
  std::unique_ptr<Deliveries> make_engine(Jobs& jobs,
                                          const std::shared_ptr<FakeTarget::Shared>& its_target) {
    std::vector<std::unique_ptr<Target>> targets;
    targets.push_back(std::make_unique<FakeTarget>(its_target));
    auto made = std::make_unique<Deliveries>(*world.database, jobs, random, std::move(targets));
    made->add_format(
        {.name = "test",
         .event_name = [](Event::Kind kind) { return name_of(kind); },
         .render = [](const MessageParts& parts, std::string& payload) -> Result<void> {
           payload = parts.message.event + ":" + parts.event.key.id;
           return {};
         }});
    return made;
  }
  // Runs the due jobs until none is left, at most 100 times.
  void run() {
    for (int i = 0; i < 100 && world.database->jobs().run_due() > 0; ++i) {
    }
  }
  void advance(std::int64_t seconds) {
    world.clock.advance(Span::seconds(seconds));
    run();
  }

  // A subscription from now on; a test may change it.
  Subscription subscription() {
    return {.id = random.uuid(),
            .format = "test",
            .target = "fake",
            .from = {world.database->now(), UINT32_MAX}};
  }
  void put(const Subscription& one) {
    Database& database = *world.database;
    must(begin_subscriptions(database, world.place, random));
    const Deliveries::SubscriptionChange held(*engine, world.place);
    must(database.transact([&](Transaction& t) {
      return PrivateTable<Subscription>::find(t.view().catalog(), world.place)
          .put(t, DocumentKey::of(one.id), one);
    }));
  }
  std::vector<DeadLetter> dead_letters() {
    View view = world.database->view();
    return must(PrivateTable<DeadLetter>::find(view.catalog(), world.place).list(view));
  }
  // The payloads that were sent since the last call, separated by spaces.
  std::string sent() {
    std::string text;
    for (const SentMessage& one : std::exchange(target->sent, {})) {
      text += (text.empty() ? "" : " ") + one.payload;
    }
    return text;
  }

  World world;
  Random random{1};
  std::shared_ptr<FakeTarget::Shared> target = std::make_shared<FakeTarget::Shared>();
  std::unique_ptr<Deliveries> engine;
};

}  // namespace mayfly::delivery::testing
