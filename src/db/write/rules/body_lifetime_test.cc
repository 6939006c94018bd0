// Lifetimes that bodies specify, beside those that writers request.
#include "db/testing.h"

namespace mayfly {
namespace {

using testing::after;
using testing::must;
using testing::second;
using testing::World;

enum class Rules { say_lifetimes, say_nothing };

struct BodyStep {
  LifetimeChange change;
  const char* body;
  Lifetime lifetime;
  const char* becomes;  // the body afterwards
};

std::string run(Rules rules, const std::vector<BodyStep>& steps, CollectionChange more = {}) {
  World w;
  more.default_lifetime = Default(Never{});
  more.body = BodyRules{.specifies_lifetime = rules == Rules::say_lifetimes};
  const auto c = w.collection("c", more);
  std::string wrong;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const BodyStep& step = steps[i];
    const auto put = w.put(c, "d", step.body, PutOptions{.lifetime = step.change});
    const auto stands = must(w.database->get(c, DocumentKey::of("d")));
    const bool is_so = put && stands && stands->version.lifetime == step.lifetime &&
                       stands->body.json() == step.becomes;
    if (is_so) continue;
    wrong += std::to_string(i) + ": " + (put ? "" : put.error().message + " ");
    if (stands) {
      wrong += render(stands->version.lifetime) + " " + std::string(stands->body.json()) + "\n";
    }
  }
  return wrong;
}

constexpr Keep keep{};
constexpr FromBody from_body{};
const Lifetime at = At{second(5'000)};

TEST(BodyLifetime, IsKeptByWritesOfOthersThatRequestNone) {
  for (const Rules rules : {Rules::say_lifetimes, Rules::say_nothing}) {
    EXPECT_EQ(run(rules, {{from_body, R"({"ttl":60})", after(60), R"({"ttl":60})"},
                          {keep, R"({"n":1})", after(60), R"({"n":1,"ttl":60})"},
                          {keep, R"({"n":2,"ttl":60})", after(60), R"({"n":2,"ttl":60})"},
                          {keep, R"({"n":3,"ttl":7})", after(7), R"({"n":3,"ttl":7})"},
                          {from_body, R"({"ttl":-1})", Never{}, R"({"ttl":-1})"},
                          {keep, R"({"n":4})", Never{}, R"({"n":4,"ttl":-1})"},
                          {from_body, R"({"n":5})", Inherit{}, R"({"n":5})"}}),
              "");
  }
}

TEST(BodyLifetime, GivesWayToARequestedOne) {
  for (const Rules rules : {Rules::say_lifetimes, Rules::say_nothing}) {
    EXPECT_EQ(run(rules, {{from_body, R"({"ttl":60})", after(60), R"({"ttl":60})"},
                          {at, R"({"n":1,"ttl":60})", at, R"({"n":1})"},
                          {from_body, R"({"n":2})", at, R"({"n":2})"},
                          {Lifetime(after(9)), R"({"n":3})", after(9),
                           rules == Rules::say_lifetimes ? R"({"n":3,"ttl":9})" : R"({"n":3})"},
                          {Lifetime(Never{}), R"({"n":4})", Never{}, R"({"n":4})"},
                          {from_body, R"({"n":5})", Never{}, R"({"n":5})"}}),
              "");
  }
}

TEST(BodyLifetime, IsPlainDataWithoutTheRule) {
  EXPECT_EQ(run(Rules::say_nothing, {{keep, R"({"ttl":5})", Inherit{}, R"({"ttl":5})"},
                                     {at, R"({"ttl":"soon"})", at, R"({"ttl":"soon"})"},
                                     {keep, R"({"ttl":7})", at, R"({"ttl":7})"},
                                     {from_body, R"({"n":1,"ttl":7})", at, R"({"n":1,"ttl":7})"}}),
            "");
}

TEST(BodyLifetime, IsWrittenToTheBodyForAnyWriterUnderTheRule) {
  EXPECT_EQ(run(Rules::say_lifetimes, {{keep, R"({"ttl":5})", after(5), R"({"ttl":5})"},
                                       {keep, R"({"ttl":6.0})", after(6), R"({"ttl":6.0})"}}),
            "");
  World w;
  const auto c = w.collection("c", {.body = BodyRules{.specifies_lifetime = true}});
  const auto refused = w.put(c, "d", R"({"ttl":"soon"})");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().field, "ttl");
}

TEST(BodyLifetime, OfABodyWithoutOneIsStampedAndNeverRefused) {
  const CollectionChange change{.stamp = Stamp{Span::seconds(10), Stamp::When::every_write},
                                .writers_may_set_lifetime = false};
  World w;
  const auto c = w.collection("c", change);
  must(w.put(c, "d", "{}", PutOptions{.lifetime = from_body}));
  const auto stands = must(w.database->get(c, DocumentKey::of("d")));
  EXPECT_TRUE(std::holds_alternative<At>(stands->version.lifetime));
  EXPECT_EQ(w.put(c, "d", R"({"ttl":5})", PutOptions{.lifetime = from_body}).error().code,
            Code::forbidden);
}

TEST(BodyLifetime, ThatAWriteDoesNotChangeIsStampedAsIfThereWereNone) {
  World w;
  const auto c = w.collection("c", {.default_lifetime = Default(Never{}),
                                    .stamp = Stamp{Span::seconds(10), Stamp::When::every_write}});
  must(w.put(c, "d", R"({"ttl":60})", PutOptions{.lifetime = from_body}));
  must(w.put(c, "d", R"({"n":1,"ttl":60})"));
  const auto stands = must(w.database->get(w.now(c), DocumentKey::of("d")));
  EXPECT_TRUE(std::holds_alternative<At>(stands->version.lifetime));
  EXPECT_EQ(w.get(c, "d"), R"({"n":1})");
}

TEST(BodyLifetime, WaitsUnderAHold) {
  World w;
  const auto c = w.collection("c", {.default_lifetime = Default(Never{})});
  must(w.put(c, "d", R"({"ttl":60})", PutOptions{.lifetime = from_body}));
  must(w.database->transact([&](Transaction& t) -> Result<void> {
    return t.hold(c, DocumentKey::of("d"), {.reason = "r"});
  }));
  must(w.put(c, "d", R"({"n":1})"));
  EXPECT_EQ(w.get(c, "d"), R"({"n":1,"ttl":60})");
  must(w.put(c, "d", R"({"n":2})", PutOptions{.lifetime = from_body}));
  must(w.database->transact(
      [&](Transaction& t) -> Result<void> { return t.release(c, DocumentKey::of("d"), {}); }));
  const auto stands = must(w.database->get(c, DocumentKey::of("d")));
  EXPECT_EQ(stands->version.lifetime, Lifetime(Inherit{}));
}

TEST(BodyLifetime, OfARestoredExpiredDocumentIsCountedAgain) {
  World w;
  const auto c = w.collection("c", {.default_lifetime = Default(Never{}),
                                    .keep_trash_for = Span::infinite(),
                                    .expires_to_trash = true,
                                    .body = BodyRules{.specifies_lifetime = true}});
  must(w.put(c, "d", R"({"ttl":60})", PutOptions{.lifetime = from_body}));
  w.clock.set(second(1'100));
  w.sweep();
  must(w.restore(c, "d"));
  const auto stands = must(w.database->get(c, DocumentKey::of("d")));
  ASSERT_TRUE(stands);
  EXPECT_EQ(stands->version.lifetime, Lifetime(after(60)));
  EXPECT_EQ(stands->death, second(1'160));
}

TEST(BodyLifetime, IsNotTakenFromARestoredBodyIfAnotherWasRequested) {
  World w;
  const auto c = w.collection("c", {.default_lifetime = Default(Never{}),
                                    .keep_trash_for = Span::infinite(),
                                    .expires_to_trash = true});
  for (const char* member : {R"("soon")", "5"}) {
    must(
        w.put(c, "d", R"({"ttl":)" + std::string(member) + "}", PutOptions{.lifetime = after(60)}));
    w.clock.set(Instant{w.database->now().micros} + Span::seconds(100));
    w.sweep();
    must(w.restore(c, "d"));
    EXPECT_EQ(must(w.database->get(c, DocumentKey::of("d")))->version.lifetime,
              Lifetime(Inherit{}));
    must(w.remove(c, "d"));
  }
}

TEST(BodyLifetime, IsLeftOutOfABodyIfAWriterRequestedItsSpan) {
  World w;
  const auto c = w.collection("c", {.default_lifetime = Default(Never{})});
  must(w.put(c, "d", R"({"n":1})", PutOptions{.lifetime = after(60)}));
  must(w.put(c, "d", R"({"n":2})"));
  EXPECT_EQ(w.get(c, "d"), R"({"n":2})");
  must(w.put(c, "d", R"({"n":3,"ttl":"soon"})"));
  must(w.put(c, "d", R"({"n":4})", PutOptions{.lifetime = from_body}));
  EXPECT_EQ(w.get(c, "d"), R"({"n":4})");
  EXPECT_EQ(must(w.database->get(c, DocumentKey::of("d")))->version.lifetime, Lifetime(after(60)));
}

TEST(BodyLifetime, ThatWasRequestedBindsNoBodyWithTheSameOne) {
  EXPECT_EQ(
      run(Rules::say_nothing, {{Lifetime(Never{}), R"({"ttl":-1})", Never{}, R"({"ttl":-1})"},
                               {keep, R"({"ttl":5})", Never{}, R"({"ttl":5})"},
                               {keep, R"({"ttl":"12h"})", Never{}, R"({"ttl":"12h"})"},
                               {Lifetime(after(60)), R"({"ttl":60})", after(60), R"({"ttl":60})"},
                               {keep, R"({"n":1})", after(60), R"({"n":1})"},
                               {from_body, R"({"n":2})", after(60), R"({"n":2})"},
                               {from_body, R"({"ttl":60})", after(60), R"({"ttl":60})"},
                               {keep, R"({"n":3})", after(60), R"({"n":3,"ttl":60})"}}),
      "");
}

TEST(BodyLifetime, SpecifiedBeforeItsDeathIsSpecifiedAgainInAnyCollection) {
  World w;
  const auto c = w.collection("c", {.default_lifetime = Default(Never{}),
                                    .keep_trash_for = Span::infinite(),
                                    .expires_to_trash = true});
  must(w.put(c, "said", R"({"ttl":60})", PutOptions{.lifetime = from_body}));
  must(w.put(c, "asked", R"({"ttl":60})", PutOptions{.lifetime = At{second(1'050)}}));
  w.clock.set(second(1'100));
  w.sweep();
  for (const char* id : {"said", "asked"}) must(w.restore(c, id));
  EXPECT_EQ(must(w.database->get(c, DocumentKey::of("said")))->death, second(1'160));
  EXPECT_TRUE(must(w.database->get(c, DocumentKey::of("asked")))->death.is_never());
  // A hold in between changes nothing of that.
  w.clock.set(second(1'200));
  w.sweep();
  const auto transact = [&](auto work) { must(w.database->transact(work)); };
  transact([&](Transaction& t) { return t.hold(c, DocumentKey::of("said"), {.reason = "r"}); });
  transact([&](Transaction& t) { return t.release(c, DocumentKey::of("said"), {}); });
  must(w.restore(c, "said"));
  EXPECT_EQ(must(w.database->get(c, DocumentKey::of("said")))->death, second(1'260));
}

// --- a member `ttl` that is plain data ---

TEST(BodyLifetime, IsNotFoundInTheDataOfWhatComesBackFromItsDeath) {
  for (const char* data : {R"({"ttl":-1})", R"({"ttl":7})"}) {
    World w;
    const auto c = w.collection("c", {.stamp = Stamp{Span::seconds(10), Stamp::When::creation},
                                      .writers_may_set_lifetime = false,
                                      .keep_trash_for = Span::infinite(),
                                      .expires_to_trash = true});
    must(w.put(c, "d", data));
    w.clock.set(second(1'011));
    w.sweep();
    must(w.restore(c, "d"));
    const auto stands = must(w.database->get(c, DocumentKey::of("d")));
    EXPECT_EQ(stands->death.whole_seconds(), 1'021) << render(stands->version.lifetime);
    EXPECT_EQ(w.get(c, "d"), data);
  }
}

TEST(BodyLifetime, OfARestorationTakesNoDataFromTheBody) {
  World w;
  const auto c = w.collection("c", {.default_lifetime = Default(after(10)),
                                    .keep_trash_for = Span::infinite(),
                                    .expires_to_trash = true});
  must(w.put(c, "d", R"({"ttl":-1})"));
  w.clock.set(second(1'011));
  w.sweep();
  must(w.database->transact([&](Transaction& t) -> Result<void> {
    return t.restore(c, DocumentKey::of("d"), {.lifetime = Lifetime(At{second(1'041)})});
  }));
  EXPECT_EQ(w.get(c, "d"), R"({"ttl":-1})");
  // Nor is the body bound by it afterwards.
  must(w.put(c, "d", R"({"ttl":"12h"})"));
  EXPECT_EQ(must(w.database->get(c, DocumentKey::of("d")))->death, second(1'041));
}

TEST(BodyLifetime, IsNotMadeOfDataWhereWritersMaySetNone) {
  const PutOptions from{.lifetime = from_body};
  for (const std::string data : {R"({"ttl":-1})", R"({"ttl":5})"}) {
    World w;
    const auto c = w.collection(
        "c", {.default_lifetime = Default(after(10)), .writers_may_set_lifetime = false});
    must(w.put(c, "d", data));
    must(w.put(c, "d", R"({"n":1,)" + data.substr(1), from));
    const auto stands = must(w.database->get(c, DocumentKey::of("d")));
    EXPECT_EQ(stands->version.lifetime, Lifetime(Inherit{}));
    EXPECT_EQ(w.put(c, "d", R"({"ttl":6})", from).error().code, Code::forbidden);
    w.change(c, {.writers_may_set_lifetime = true});
    must(w.put(c, "d", R"({"ttl":6})", from));
    EXPECT_EQ(must(w.database->get(c, DocumentKey::of("d")))->version.lifetime, Lifetime(after(6)));
  }
}

TEST(BodyLifetime, OfDataThatIsWrittenAgainIsStampedAsIfThereWereNone) {
  World w;
  const auto c = w.collection("c", {.default_lifetime = Default(Never{})});
  must(w.put(c, "d", R"({"ttl":-1})"));
  w.change(c, {.stamp = Stamp{Span::seconds(10), Stamp::When::every_write},
               .writers_may_set_lifetime = false});
  for (const std::int64_t now : {1'005, 1'010}) {
    w.clock.set(second(now));
    must(w.put(c, "d", R"({"ttl":-1})", PutOptions{.lifetime = from_body}));
    EXPECT_EQ(must(w.database->get(c, DocumentKey::of("d")))->death, second(now + 10));
  }
}

TEST(BodyLifetime, OfAStampIsNotChangedByDataWhereWritersMaySetNone) {
  const PutOptions from{.lifetime = from_body};
  const BodyRules rules[] = {
      {.specifies_lifetime = true},
      {.specifies_lifetime = true, .lifetime_start = Path::of("born")},
  };
  for (const BodyRules& says : rules) {
    for (const auto when : {Stamp::When::creation, Stamp::When::every_write}) {
      World w;
      const auto c = w.collection("c", {.default_lifetime = Default(Never{}),
                                        .stamp = Stamp{Span::seconds(10), when},
                                        .writers_may_set_lifetime = false});
      must(w.put(c, "d", R"({"ttl":-1})"));
      w.change(c, {.body = says});
      w.clock.set(second(1'005));
      must(w.put(c, "d", R"({"ttl":-1})", from));
      EXPECT_EQ(must(w.database->get(c, DocumentKey::of("d")))->death.whole_seconds(),
                when == Stamp::When::creation ? 1'010 : 1'015);
      EXPECT_EQ(w.put(c, "d", R"({"ttl":6})", from).error().code, Code::forbidden);
    }
  }
}

// --- lifetimes counted from a field of the body ---

TEST(BodyLifetime, ThatWasRequestedOutlastsTheFieldThatStartsOne) {
  const CollectionChange change{
      .default_lifetime = Default(after(1'000)),
      .body = BodyRules{.specifies_lifetime = true, .lifetime_start = Path::of("born")}};
  const PutOptions from{.lifetime = from_body};
  for (const Lifetime& asked : {at, Lifetime(Never{})}) {
    World w;
    const auto c = w.collection("c", change);
    const auto lifetime = [&] {
      return must(w.database->get(w.now(c), DocumentKey::of("d")))->version.lifetime;
    };
    must(w.put(c, "d", R"({"born":900})", PutOptions{.lifetime = asked}));
    must(w.put(c, "d", R"({"born":900,"n":1})", from));
    EXPECT_EQ(render(lifetime()), render(asked));
    must(w.put(c, "d", R"({"born":900,"n":2})"));
    must(w.put(c, "d", R"({"born":900,"n":3})", from));
    EXPECT_EQ(render(lifetime()), render(asked));
    must(w.put(c, "d", R"({"n":4})", from));
    EXPECT_EQ(render(lifetime()), render(asked));
    // A new value in the body counts, and goes on to count.
    must(w.put(c, "d", R"({"born":950})", from));
    EXPECT_EQ(render(lifetime()), render(At{second(1'950)}));
    w.change(c, {.default_lifetime = Default(after(2'000))});
    must(w.put(c, "d", R"({"born":950})", from));
    EXPECT_EQ(render(lifetime()), render(At{second(2'950)}));
  }
}

TEST(BodyLifetime, ThatWasRequestedIsStoredInAHoldBesideTheFieldThatStartsOne) {
  World w;
  const auto c = w.collection(
      "c", {.default_lifetime = Default(after(1'000)),
            .body = BodyRules{.specifies_lifetime = true, .lifetime_start = Path::of("born")}});
  must(w.put(c, "d", R"({"born":900})", PutOptions{.lifetime = at}));
  const auto transact = [&](auto work) { must(w.database->transact(work)); };
  transact([&](Transaction& t) { return t.hold(c, DocumentKey::of("d"), {.reason = "r"}); });
  must(w.put(c, "d", R"({"born":900,"n":1})", PutOptions{.lifetime = from_body}));
  transact([&](Transaction& t) { return t.release(c, DocumentKey::of("d"), {}); });
  must(w.put(c, "d", R"({"born":900,"n":2})", PutOptions{.lifetime = from_body}));
  EXPECT_EQ(must(w.database->get(c, DocumentKey::of("d")))->version.lifetime, at);
}

}  // namespace
}  // namespace mayfly
