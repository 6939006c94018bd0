#include "delivery/webhooks/target.h"

#include <fmt/format.h>

#include <algorithm>

#include "delivery/limits.h"
#include "delivery/webhooks/signature.h"
#include "net/calls/outbound.h"

namespace mayfly::delivery {
namespace {

struct MemberRow {
  std::string_view name;
  Kind kind;
};
constexpr MemberRow members[] = {
    {"url", Kind::text}, {"secret", Kind::text}, {"batch_max", Kind::integer}};

std::string text_of(const Object& settings, std::string_view name) {
  const Value* value = settings.find(name);
  return value != nullptr && value->is(Kind::text) ? value->text() : std::string();
}

AttemptOutcome outcome_of(const Result<net::Response>& answer) {
  if (!answer) return {AttemptOutcome::Kind::away, answer.error().message};
  const int status = answer->status;
  if (status >= 200 && status < 300) return {.code = status};
  const bool is_away = status == 408 || status == 425 || status == 429 || status >= 500;
  return {is_away ? AttemptOutcome::Kind::away : AttemptOutcome::Kind::refused,
          fmt::format("it answered with {}", status), status};
}

std::string list_of(const DeliveryAttempt& attempt) {
  std::string list = "[" + attempt.message.payload;
  for (const Message* other : attempt.others) list += "," + other->payload;
  return list + "]";
}

class WebhookTarget final : public Target {
 public:
  WebhookTarget(SendCall send, net::AddressPolicy address_policy)
      : send_(std::move(send)), address_policy_(address_policy) {}

  std::string_view kind() const override { return "webhook"; }

  Result<Object> settings_of(const Object& asked) const override {
    for (const auto& [name, value] : asked) {
      const auto row = std::ranges::find(members, name, &MemberRow::name);
      if (row != std::end(members) && value.is(row->kind)) continue;
      return fail(Code::invalid,
                  "a webhook has a url and a secret, which are texts, and batch_max, a number",
                  name);
    }
    const std::string url = text_of(asked, "url");
    if (url.empty()) return fail(Code::invalid, "a webhook needs a url", "url");
    if (url.size() > limits::target_url_bytes_max) {
      return fail(Code::invalid,
                  fmt::format("url has at most {} bytes", limits::target_url_bytes_max), "url");
    }
    TRY(net::check_url(url, address_policy_));
    std::string secret = text_of(asked, "secret");
    if (secret.empty()) secret = new_webhook_secret();
    const auto key = webhook_key(secret);
    if (!key) return fail(Code::invalid, "behind whsec_ a secret is base64", "secret");
    if (key->size() < limits::webhook_secret_bytes_min) {
      return fail(Code::invalid,
                  fmt::format("secret has at least {} bytes, decoded if it begins with whsec_",
                              limits::webhook_secret_bytes_min),
                  "secret");
    }
    const Value* batch = asked.find("batch_max");
    Object settings{{"url", url}, {"secret", std::move(secret)}};
    if (batch == nullptr) return settings;
    constexpr auto most = static_cast<std::int64_t>(limits::webhook_batch_max);
    if (batch->integer() < 1 || batch->integer() > most) {
      return fail(Code::invalid, fmt::format("batch_max is a number from 1 to {}", most),
                  "batch_max");
    }
    settings.set("batch_max", *batch);
    return settings;
  }

  Object shown(const Object& settings) const override {
    Object shown{{"url", text_of(settings, "url")}};
    if (const Value* batch = settings.find("batch_max")) shown.set("batch_max", *batch);
    return shown;
  }

  std::size_t batch_max(const Object& settings) const override {
    const Value* batch = settings.find("batch_max");
    return batch == nullptr ? 1 : static_cast<std::size_t>(batch->integer());
  }

  std::size_t at_once() const override { return limits::webhook_at_once; }
  std::size_t at_once_of_database() const override { return limits::webhook_at_once_of_database; }

  void send(const DeliveryAttempt& attempt, Done done) override {
    send_(call_of(attempt), [done = std::move(done)](const Result<net::Response>& answer) {
      done(outcome_of(answer));
    });
  }

 private:
  net::OutgoingCall call_of(const DeliveryAttempt& attempt) const {
    const Message& message = attempt.message;
    const bool is_batch = attempt.settings.find("batch_max") != nullptr;
    net::OutgoingCall call{.method = "POST",
                           .url = text_of(attempt.settings, "url"),
                           .body = is_batch ? list_of(attempt) : message.payload,
                           .time_max = limits::attempt_time_max,
                           .answer_bytes_max = limits::target_answer_bytes_max,
                           .long_answer = net::LongAnswerPolicy::is_cut,
                           .address_policy = address_policy_};
    const std::int64_t seconds = attempt.now.whole_seconds();
    const std::size_t others = attempt.others.size();
    const std::string id = others == 0 ? message.id : fmt::format("{}+{}", message.id, others);
    call.headers = {{"content-type", "application/json"},
                    {"webhook-id", id},
                    {"webhook-timestamp", std::to_string(seconds)},
                    {"webhook-signature",
                     sign_delivery({text_of(attempt.settings, "secret")}, id, seconds, call.body)},
                    {"mayfly-attempt", std::to_string(attempt.number)},
                    {"user-agent", "mayfly/" MAYFLY_VERSION}};
    if (!is_batch) call.headers.emplace_back("mayfly-event", message.event);
    return call;
  }

  const SendCall send_;
  const net::AddressPolicy address_policy_;
};

}  // namespace

std::unique_ptr<Target> webhook_target(SendCall send, net::AddressPolicy address_policy) {
  return std::make_unique<WebhookTarget>(std::move(send), address_policy);
}

}  // namespace mayfly::delivery
