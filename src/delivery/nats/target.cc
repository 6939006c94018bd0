#include "delivery/nats/target.h"

#include <fmt/format.h>

#include "delivery/limits.h"
#include "delivery/nats/broker.h"

namespace mayfly::delivery {
namespace {

class NatsTarget final : public Target {
 public:
  NatsTarget(NatsOptions options, SubjectTemplate subject, std::string text)
      : subject_(std::move(subject)), text_(std::move(text)), options_(std::move(options)) {}

  std::string_view kind() const override { return "nats"; }

  Result<Object> settings_of(const Object& asked) const override {
    std::string text = text_;
    for (const auto& [name, value] : asked) {
      if (name != "subject" || !value.is(Kind::text)) {
        return fail(Code::invalid, "a target of NATS has a subject, which is a text", name);
      }
      text = value.text();
    }
    const SubjectTemplate subject = TRY(SubjectTemplate::parse(text));
    if (!subject.prefix().starts_with(subject_.prefix())) {
      return fail(Code::invalid, fmt::format("subjects begin with {} here", subject_.prefix()),
                  "subject");
    }
    return Object{{"subject", std::move(text)}};
  }

  Object shown(const Object& settings) const override { return settings; }
  std::size_t at_once() const override { return limits::nats_at_once; }

  std::optional<std::string> closed() const override {
    return broker_ == nullptr ? std::nullopt : broker_->closed();
  }
  std::uint64_t openings() const override { return broker_ == nullptr ? 0 : broker_->openings(); }
  void watch(std::function<void()> changed) override {
    broker_ = std::make_unique<Broker>(options_, std::move(changed));
  }

  void send(const DeliveryAttempt& attempt, Done done) override {
    const Value* text = attempt.settings.find("subject");
    const auto subject =
        SubjectTemplate::parse(text == nullptr || !text->is(Kind::text) ? text_ : text->text());
    if (!subject) return done({AttemptOutcome::Kind::refused, subject.error().message});
    const Message& message = attempt.message;
    std::string name = subject->render(message);
    if (name.size() > limits::nats_names_bytes_max) {
      return done({AttemptOutcome::Kind::refused, fmt::format("its subject has more than {} bytes",
                                                              limits::nats_names_bytes_max)});
    }
    broker_->publish(
        {.subject = std::move(name),
         .id = fmt::format("{}.{}.{}", message.id, attempt.subscription, attempt.round),
         .payload = message.payload,
         .done = std::move(done)});
  }

 private:
  const SubjectTemplate subject_;
  const std::string text_;
  const NatsOptions options_;
  std::unique_ptr<Broker> broker_;  // from watch() on
};

}  // namespace

std::unique_ptr<Target> nats_target(NatsOptions options, SubjectTemplate subject,
                                    std::string subject_text) {
  return std::make_unique<NatsTarget>(std::move(options), std::move(subject),
                                      std::move(subject_text));
}

}  // namespace mayfly::delivery
