#include "dialect/centrali/webhooks/target.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

#include "delivery/webhooks/signature.h"
#include "dialect/centrali/events/notice.h"
#include "dialect/centrali/limits.h"

namespace mayfly::centrali {
namespace {

// REACHES OTHERS: receivers store ids to detect repetitions.
constexpr std::string_view id_begin = "msg_";
constexpr char id_parts = '_';

// The waits between attempts, as Standard Webhooks recommends. Their sum is below delivery's
// log_kept_for.
constexpr Span waits_between[] = {
    Span::seconds(5),      Span::seconds(300),    Span::seconds(1'800),
    Span::seconds(7'200),  Span::seconds(18'000), Span::seconds(36'000),
    Span::seconds(50'400), Span::seconds(72'000), Span::seconds(86'400),
};
static_assert(std::size(waits_between) + 1 == limits::webhook_attempts_max);

std::string setting_of(const Object& settings, std::string_view name) {
  const Value* value = settings.find(name);
  return value != nullptr && value->is(Kind::text) ? value->text() : std::string();
}

std::vector<std::string> secrets_of(const Object& settings, Instant now) {
  std::vector<std::string> secrets{setting_of(settings, "secret")};
  const Value* until = settings.find("previousSecretValidUntil");
  if (until != nullptr && until->is(Kind::time) && now < until->time()) {
    secrets.push_back(setting_of(settings, "previousSecret"));
  }
  return secrets;
}

net::OutgoingCall call_for(const delivery::DeliveryAttempt& attempt) {
  const std::string id = delivery_id(attempt.subscription, attempt.message.id);
  const std::int64_t timestamp = attempt.now.whole_seconds();
  const std::string time = std::to_string(timestamp);
  net::OutgoingCall call{.method = "POST",
                         .url = setting_of(attempt.settings, "url"),
                         .body = attempt.message.payload,
                         .time_max = limits::webhook_time_max,
                         .answer_bytes_max = limits::webhook_answer_bytes_max,
                         .long_answer = net::LongAnswerPolicy::is_cut};
  const std::string signature =
      delivery::sign_delivery(secrets_of(attempt.settings, attempt.now), id, timestamp, call.body);
  call.headers = {{"webhook-id", id},
                  {"webhook-timestamp", time},
                  {"webhook-signature", signature},
                  {"Centrali-Id", id},
                  {"Centrali-Timestamp", time},
                  {"Centrali-Signature", signature},
                  {"Centrali-Event-Type", attempt.message.event},
                  {"User-Agent", "mayfly/" MAYFLY_VERSION}};
  if (attempt.number > 1) {
    call.headers.emplace_back("Centrali-Retry-Attempt", std::to_string(attempt.number - 1));
  }
  return call;
}

delivery::AttemptOutcome outcome_of_call(const Result<net::Response>& answer) {
  using Kind = delivery::AttemptOutcome::Kind;
  if (!answer) return {Kind::refused, answer.error().message};
  const int status = answer->status;
  if (status >= 200 && status < 300) return {.code = status};
  return {Kind::refused, fmt::format("it answered with {}", status), status};
}

class WebhookTarget final : public delivery::Target {
 public:
  explicit WebhookTarget(SendCall send) : send_(std::move(send)) {}

  std::string_view kind() const override { return webhook_target_name; }
  Result<Object> settings_of(const Object&) const override {
    return fail(Code::invalid, "webhook subscriptions make the subscriptions of this target");
  }
  Object shown(const Object&) const override { return {}; }
  Span wait_after(std::int64_t attempts, double) const override {
    const auto last = std::ssize(waits_between) - 1;
    return waits_between[std::clamp<std::int64_t>(attempts - 1, 0, last)];
  }
  // One at a time, so calls are in the order of the events, except those that wait for a further
  // attempt.
  std::size_t at_once() const override { return 1; }
  std::size_t at_once_of_database() const override { return limits::webhook_at_once_of_database; }
  void send(const delivery::DeliveryAttempt& attempt, Done done) override {
    send_(call_for(attempt), [done = std::move(done)](const Result<net::Response>& answer) {
      done(outcome_of_call(answer));
    });
  }

 private:
  const SendCall send_;
};

}  // namespace

std::unique_ptr<delivery::Target> webhook_target(SendCall send) {
  return std::make_unique<WebhookTarget>(std::move(send));
}

delivery::Format webhook_format(Database& database, Directory& directory) {
  const auto render =
      [&database,
       &directory](const delivery::MessageParts& parts) -> Result<std::vector<delivery::Rendered>> {
    View view = database.view();
    const std::string& name = parts.message.database;
    const auto workspace = directory.workspace(view.catalog_ptr(), name);
    const StructurePtr known = workspace ? workspace->find(parts.collection->id) : nullptr;
    const StructurePtr structure = known ? known : structure_of(parts.collection);
    std::vector<Notice> notices;
    std::size_t bytes = 0;
    TRY(append_notices(view, structure, name, parts.commit, bytes, notices));
    std::vector<delivery::Rendered> made;
    for (Notice& notice : notices) {
      if (parts.images == nullptr) leave_out_all(notice);
      const Value own = notice.payload.member("recordId");
      const Value record =
          own.is(Kind::text) ? own : notice.payload.member("data").member("record").member("id");
      delivery::Rendered& one =
          made.emplace_back(delivery::Rendered{std::move(notice.type), std::move(notice.json)});
      if (record.is(Kind::text)) one.document = DocumentKey::of(record.text());
    }
    return made;
  };
  return {.name = webhook_format_name, .render_commit = render};
}

std::string delivery_id(const std::string& subscription, const std::string& message) {
  return fmt::format("{}{}{}{}", id_begin, message, id_parts, subscription);
}

std::optional<DocumentKey> key_of_delivery(std::string_view id) {
  const std::size_t end = id.rfind(id_parts);
  if (!id.starts_with(id_begin) || end < id_begin.size()) return std::nullopt;
  const std::string_view message = id.substr(id_begin.size(), end - id_begin.size());
  return delivery::LogRow::key_of(std::string(id.substr(end + 1)), std::string(message));
}

}  // namespace mayfly::centrali
