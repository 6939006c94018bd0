#include "delivery/webhook.h"

#include <fmt/format.h>

#include <algorithm>

#include "delivery/limits.h"
#include "delivery/signature.h"
#include "net/calls/outbound.h"

namespace mayfly::delivery {
namespace {

constexpr std::string_view names[] = {"url", "secret"};

std::string text_of(const Object& settings, std::string_view name) {
  const Value* value = settings.find(name);
  return value != nullptr && value->is(Kind::text) ? value->text() : std::string();
}

Outcome outcome_of(const Result<net::Response>& answer) {
  if (!answer) return {Outcome::Kind::away, answer.error().message};
  const int status = answer->status;
  if (status >= 200 && status < 300) return {.code = status};
  const bool is_away = status == 408 || status == 425 || status == 429 || status >= 500;
  return {is_away ? Outcome::Kind::away : Outcome::Kind::refused,
          fmt::format("it answered with {}", status), status};
}

class WebhookTarget final : public Target {
 public:
  WebhookTarget(SendCall send, net::Reach reach) : send_(std::move(send)), reach_(reach) {}

  std::string_view kind() const override { return "webhook"; }

  Result<Object> settings_of(const Object& asked) const override {
    for (const auto& [name, value] : asked) {
      if (std::ranges::find(names, name) != std::end(names) && value.is(Kind::text)) continue;
      return fail(Code::invalid, "a webhook has a url and a secret, which are texts", name);
    }
    const std::string url = text_of(asked, "url");
    if (url.empty()) return fail(Code::invalid, "a webhook needs a url", "url");
    if (url.size() > limits::target_url_bytes_max) {
      return fail(Code::invalid,
                  fmt::format("url has at most {} bytes", limits::target_url_bytes_max), "url");
    }
    TRY(net::check_url(url, reach_));
    std::string secret = text_of(asked, "secret");
    if (secret.empty()) secret = new_webhook_secret();
    if (secret.size() < limits::webhook_secret_bytes_min) {
      return fail(Code::invalid,
                  fmt::format("secret has at least {} bytes", limits::webhook_secret_bytes_min),
                  "secret");
    }
    return Object{{"url", url}, {"secret", std::move(secret)}};
  }

  Object shown(const Object& settings) const override {
    return Object{{"url", text_of(settings, "url")}};
  }

  std::size_t at_once() const override { return limits::webhook_at_once; }

  void send(const Sending& sending, Done done) override {
    send_(call_of(sending), [done = std::move(done)](const Result<net::Response>& answer) {
      done(outcome_of(answer));
    });
  }

 private:
  net::Call call_of(const Sending& sending) const {
    const Message& message = sending.message;
    net::Call call{.method = "POST",
                   .url = text_of(sending.settings, "url"),
                   .body = message.payload,
                   .time_max = limits::attempt_time_max,
                   .answer_bytes_max = limits::target_answer_bytes_max,
                   .long_answer = net::LongAnswer::is_cut,
                   .reach = reach_};
    const std::int64_t seconds = sending.now.whole_seconds();
    call.headers = {{"content-type", "application/json"},
                    {"webhook-id", message.id},
                    {"webhook-timestamp", std::to_string(seconds)},
                    {"webhook-signature", sign_delivery({text_of(sending.settings, "secret")},
                                                        message.id, seconds, message.payload)},
                    {"mayfly-event", message.event},
                    {"mayfly-attempt", std::to_string(sending.attempt)},
                    {"user-agent", "mayfly/" MAYFLY_VERSION}};
    return call;
  }

  const SendCall send_;
  const net::Reach reach_;
};

}  // namespace

std::unique_ptr<Target> webhook_target(SendCall send, net::Reach reach) {
  return std::make_unique<WebhookTarget>(std::move(send), reach);
}

}  // namespace mayfly::delivery
