#include "dialect/centrali/webhooks/attempt.h"

#include <iterator>
#include <string>

#include "delivery/signature.h"
#include "dialect/centrali/limits.h"

namespace mayfly::centrali {
namespace {

// Between attempts; what Standard Webhooks recommends. They end within limits::webhook_keep_for.
constexpr Span waits[] = {
    Span::seconds(5),      Span::seconds(300),    Span::seconds(1'800),
    Span::seconds(7'200),  Span::seconds(18'000), Span::seconds(36'000),
    Span::seconds(50'400), Span::seconds(72'000), Span::seconds(86'400),
};

}  // namespace

std::optional<Span> wait_after(std::int64_t attempt) {
  if (attempt < 1 || attempt > std::ssize(waits)) return std::nullopt;
  return waits[attempt - 1];
}

net::Call call_of(const Webhook& webhook, const Delivery& delivery, Instant now) {
  net::Call call{.method = "POST", .url = webhook.text("url")};
  call.body = delivery.text("payload");
  call.time_max = limits::webhook_time_max;
  call.answer_bytes_max = limits::webhook_answer_bytes_max;
  call.long_answer = net::LongAnswer::is_cut;
  const std::int64_t timestamp = now.whole_seconds();
  const std::string time = std::to_string(timestamp);
  const std::string signature =
      delivery::sign_delivery(webhook.secrets(now), delivery.id, timestamp, call.body);
  call.headers = {{"webhook-id", delivery.id},
                  {"webhook-timestamp", time},
                  {"webhook-signature", signature},
                  {"Centrali-Id", delivery.id},
                  {"Centrali-Timestamp", time},
                  {"Centrali-Signature", signature},
                  {"Centrali-Event-Type", delivery.text("event")},
                  {"User-Agent", "mayfly/" MAYFLY_VERSION}};
  if (delivery.attempts() > 0) {
    call.headers.emplace_back("Centrali-Retry-Attempt", std::to_string(delivery.attempts()));
  }
  return call;
}

void note_outcome(const Result<net::Response>& answer, Instant begun_at, Delivery& delivery) {
  const bool is_taken = answer && answer->status >= 200 && answer->status < 300;
  const std::int64_t attempts = delivery.attempts() + 1;
  Object& members = delivery.members;
  members.set("attempts", attempts);
  members.set("lastAttemptAt", begun_at);
  members.set("lastStatus", answer ? Value(answer->status) : Value(nullptr));
  members.set("lastError", answer ? Value(nullptr) : Value(answer.error().message));
  const auto wait = is_taken ? std::nullopt : wait_after(attempts);
  if (wait) {
    members.set("nextAttemptAt", begun_at + *wait);
    return;
  }
  members.remove("nextAttemptAt");
  members.set("status", word_of(is_taken ? Delivery::Status::delivered : Delivery::Status::failed));
  if (is_taken) members.set("deliveredAt", begun_at);
}

}  // namespace mayfly::centrali
