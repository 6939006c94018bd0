// Subjects, settings and answers of NATS; test/conformance/nats tests with a broker.
#include <gtest/gtest.h>

#include "delivery/nats/link.h"
#include "delivery/nats/subject.h"
#include "delivery/nats/target.h"

namespace mayfly::delivery {
namespace {

constexpr const char* by_default = "mayfly.{database}.{collection}.{event}";

std::string rendered(std::string_view text, Message message) {
  const auto subject = SubjectTemplate::parse(text);
  return subject ? subject->render(message) : "refused";
}

std::string prefix(std::string_view text) {
  const auto subject = SubjectTemplate::parse(text);
  return subject ? subject->prefix() : "refused";
}

TEST(NatsSubjectTest, PlaceholdersAreFilledFromTheEvent) {
  const Message message{.database = "app", .collection = "sessions", .event = "expired"};
  EXPECT_EQ(rendered(by_default, message), "mayfly.app.sessions.expired");
  EXPECT_EQ(rendered("a.x-{event}-{event}_1.b", message), "a.x-expired-expired_1.b");
  EXPECT_EQ(rendered("fixed.subject", message), "fixed.subject");
}

TEST(NatsSubjectTest, ANameIsOneTokenWhateverItContains) {
  const Message message{.database = "a.b", .collection = "*>$ %\n", .event = "\xc3\xa9"};
  EXPECT_EQ(rendered(by_default, message), "mayfly.a%2Eb.%2A%3E%24%20%25%0A.%C3%A9");
}

TEST(NatsSubjectTest, ThePrefixIsTheTextBeforeTheFirstPlaceholder) {
  EXPECT_EQ(prefix(by_default), "mayfly.");
  EXPECT_EQ(prefix("a.b.{event}"), "a.b.");
  EXPECT_EQ(prefix("a.b{event}.c"), "a.");
  EXPECT_EQ(prefix("a.b"), "a.");
}

TEST(NatsSubjectTest, AnInvalidSubjectIsRefused) {
  for (const char* text :
       {"", ".", "a.", ".a", "a..b", "{event}", "{event}.a", "a{event}", "$JS.a.b", "_INBOX.a", "a",
        "a.*", "a.>", "a b", "a.{id}", "a.{event", "a.}", "a.\n"}) {
    EXPECT_EQ(prefix(text), "refused") << text;
  }
  EXPECT_EQ(prefix("a." + std::string(limits::nats_subject_bytes_max, 'b')), "refused");
}

TEST(NatsTargetTest, SubscriptionsKeepThePrefixOfTheSetting) {
  const auto target = nats_target({}, *SubjectTemplate::parse(by_default), by_default);
  const auto settings = [&](const Object& asked) {
    const auto made = target->settings_of(asked);
    return made ? made->find("subject")->text() : "refused";
  };
  EXPECT_EQ(settings({}), by_default);
  EXPECT_EQ(settings({{"subject", "mayfly.mine.{event}"}}), "mayfly.mine.{event}");
  EXPECT_EQ(settings({{"subject", "mayfly2.{event}"}}), "refused");
  EXPECT_EQ(settings({{"subject", "orders.{event}"}}), "refused");
  EXPECT_EQ(settings({{"subject", "mayfly"}}), "refused");
  EXPECT_EQ(settings({{"subject", 1}}), "refused");
  EXPECT_EQ(settings({{"url", "nats://elsewhere"}}), "refused");
}

TEST(NatsTargetTest, ASubjectThatIsTooLongForABrokerIsNotSent) {
  const std::string text = "mayfly.{collection}.{collection}";
  const auto target = nats_target({}, *SubjectTemplate::parse(by_default), by_default);
  const Object settings{{"subject", text}};
  const Message message{.collection = std::string(limits::nats_names_bytes_max / 2, 'c')};
  AttemptOutcome outcome;
  target->send({.settings = settings, .message = message},
               [&](AttemptOutcome end) { outcome = end; });
  EXPECT_EQ(outcome.kind, AttemptOutcome::Kind::refused);
  EXPECT_EQ(outcome.error, "its subject has more than 3500 bytes");
}

TEST(NatsAnswerTest, GivesTheOutcomeOfAMessage) {
  using Kind = AttemptOutcome::Kind;
  const auto kind = [](std::string_view json) { return outcome_of_answer(json).kind; };
  EXPECT_EQ(kind(R"({"stream":"mayfly","seq":1})"), Kind::taken);
  EXPECT_EQ(kind(R"({"stream":"mayfly","seq":1,"duplicate":true})"), Kind::taken);
  EXPECT_EQ(kind(R"({"error":{"code":503,"err_code":10077,"description":"full"}})"),
            Kind::interrupted);
  EXPECT_EQ(kind(R"({"error":{"code":400,"description":"wrong"}})"), Kind::refused);
  EXPECT_EQ(outcome_of_answer(R"({"error":{"code":400,"description":"wrong"}})").error,
            "JetStream: wrong");
  for (const char* other : {"", "+OK", "[]", "{}", R"({"error":1})", R"({"stream":1})"}) {
    EXPECT_EQ(kind(other), Kind::refused) << other;
  }
}

}  // namespace
}  // namespace mayfly::delivery
