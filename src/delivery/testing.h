// Deliveries on a database in memory, to a target that a test answers for. No threads: run() runs
// the jobs that are due.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "db/testing.h"
#include "delivery/deliveries.h"
#include "delivery/rows/dead_letter.h"

namespace mayfly::delivery::testing {

using mayfly::testing::must;
using mayfly::testing::second;
using mayfly::testing::World;

struct Sent {
  std::string id;
  std::string payload;
  std::int64_t attempt = 1;
};

// What the target does with a message; nothing: it keeps it, until the test ends the attempt.
using Answering = std::function<std::optional<Outcome>(const Sent&)>;

class FakeTarget final : public Target {
 public:
  struct Shared {
    std::vector<Sent> sent;
    std::vector<Done> kept;
    Answering answer = [](const Sent&) { return Outcome{}; };
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
  void send(const Sending& sending, Done done) override {
    Sent& sent = shared_->sent.emplace_back(
        Sent{sending.message.id, sending.message.payload, sending.attempt});
    for (const Message* other : sending.others) sent.payload += "+" + other->payload;
    auto outcome = shared_->answer(Sent(sent));
    if (outcome) {
      done(*std::move(outcome));
    } else {
      shared_->kept.push_back(std::move(done));
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

  // The engine, as after a start of the server.
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
  // So often that nothing is left to do at this instant, unless there is much.
  void run() {
    for (int i = 0; i < 100 && world.database->jobs().run_due() > 0; ++i) {
    }
  }
  void advance(std::int64_t seconds) {
    world.clock.advance(Span::seconds(seconds));
    run();
  }

  // From now on, unless it says otherwise.
  Subscription subscription() {
    return {.id = random.uuid(),
            .format = "test",
            .target = "fake",
            .from = {world.database->now(), UINT32_MAX}};
  }
  void put(const Subscription& one) {
    Database& database = *world.database;
    must(PrivateTable<DeadLetter>::ensure(database, world.place));
    must(PrivateTable<DeadLetter>::ensure(database, world.place, DeadLetter::again));
    must(PrivateTable<Progress>::ensure(database, world.place));
    must(PrivateTable<Subscription>::ensure(database, world.place));
    const Deliveries::Change held(*engine, world.place);
    must(database.transact([&](Transaction& t) {
      return PrivateTable<Subscription>::find(t.view().catalog(), world.place)
          .put(t, DocumentKey::of(one.id), one);
    }));
  }
  std::vector<DeadLetter> dead() {
    View view = world.database->view();
    return must(PrivateTable<DeadLetter>::find(view.catalog(), world.place).list(view));
  }
  // The payloads that were sent since, with spaces between.
  std::string sent() {
    std::string text;
    for (const Sent& one : std::exchange(target->sent, {})) {
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
