#include "dialect/centrali/triggers/target.h"

#include <algorithm>
#include <utility>

#include "base/service/logging.h"
#include "base/threads/thread.h"
#include "dialect/centrali/events/notice.h"
#include "dialect/centrali/functions/chain.h"
#include "dialect/centrali/functions/limits.h"
#include "dialect/centrali/triggers/trigger.h"
#include "value/json/json.h"

namespace mayfly::centrali {
namespace {

using delivery::AttemptOutcome;

// The parts of a message that are kept after send() has returned.
struct EventMessage {
  std::string workspace;
  std::string trigger;
  std::string payload;  // {"cause", "recordId", "notices"}, as render() makes it
  std::int64_t attempt = 1;
};

// An envelope of the page on record TTL, with the members of the other notice of the expiry.
Value with_notice(const Value& envelope, const Value& notice) {
  Object all = envelope.object();
  const Value record = envelope.member("data").member("record");
  if (!notice.is(Kind::object) || !record.is(Kind::object)) return envelope;
  for (const auto& [name, value] : notice.object()) {
    if (all.find(name) == nullptr) all.set(name, value);
  }
  Object with_data = record.object();
  with_data.set("data", notice.member("data"));
  all.set("data", Object{{"record", std::move(with_data)}});
  return all;
}

// The function's executionParams: the notice of the trigger's event, as in a stream.
Value parameters_of(const Value& payload, const std::string& event) {
  const Value notices = payload.member("notices");
  const Value notice = notices.member(event);
  if (event == "record.expired" && notice.is(Kind::object)) {
    return with_notice(notice, notices.member("record_expired"));
  }
  if (notice.is(Kind::object)) return notice;
  return Object{{"event", event}, {"recordId", payload.member("recordId")}};
}

// Nothing if the trigger or its function has been removed, or the trigger is paused.
Result<std::optional<RunOrder>> order_of(Database& database, const EventMessage& message) {
  View view = database.view();
  const auto workspace = view.catalog().find_database(message.workspace);
  if (!workspace) return std::nullopt;
  const auto trigger = TRY(PrivateTable<Trigger>::find(view.catalog(), workspace->id)
                               .get(view, DocumentKey::of(message.trigger)));
  if (!trigger || trigger->type() != Trigger::Type::event_driven) return std::nullopt;
  auto function = TRY(PrivateTable<ComputeFunction>::find(view.catalog(), workspace->id)
                          .get(view, DocumentKey::of(trigger->text("functionId"))));
  if (!function) return std::nullopt;
  const Value payload = TRY(parse_json(message.payload, {.bytes_max = message.payload.size()}));
  RunOrder order{.workspace = message.workspace,
                 .function = *std::move(function),
                 .trigger = trigger->id,
                 .source = word_of(Trigger::Type::event_driven)};
  order.parameters = parameters_of(payload, text_in(trigger->metadata(), "event"));
  order.trigger_parameters = trigger->parameters();
  order.attempt = message.attempt;
  const Value cause = payload.member("cause");
  if (cause.is(Kind::integer)) {
    ChainLink link = TRY(find_chain_link(view, workspace->id, Instant{cause.integer()}));
    order.depth = 1 + link.depth;
    order.root = std::move(link.root);
  }
  return order;
}

AttemptOutcome outcome_of(const Result<RunEnd>& end) {
  if (!end) return {AttemptOutcome::Kind::away, end.error().message};
  const std::string error = end->run.text("error");
  if (end->was_refused) return {AttemptOutcome::Kind::interrupted, error};
  if (end->run.status() == Run::Status::completed || end->was_cut) return {};
  return {AttemptOutcome::Kind::refused, error};
}

AttemptOutcome run_for(Functions& functions, Database& database, const EventMessage& message) {
  const auto order = order_of(database, message);
  if (!order) return {AttemptOutcome::Kind::away, order.error().message};
  if (!*order) return {};
  return outcome_of(functions.run(**order));
}

class FunctionTarget final : public delivery::Target {
 public:
  FunctionTarget(Functions& functions, Database& database)
      : functions_(functions), database_(database) {}

  std::string_view kind() const override { return function_target_name; }
  Result<Object> settings_of(const Object&) const override {
    return fail(Code::invalid, "function triggers make the subscriptions of this target");
  }
  Object shown(const Object&) const override { return {}; }
  std::size_t at_once() const override { return limits::function_at_once; }

  void send(const delivery::DeliveryAttempt& attempt, Done done) override {
    const auto end = std::make_shared<const Done>(std::move(done));
    EventMessage message{attempt.message.database, attempt.subscription, attempt.message.payload,
                         attempt.number};
    const bool is_taken = functions_.run_later(attempt.message.database, [this, message, end] {
      AttemptOutcome outcome{AttemptOutcome::Kind::interrupted, "the run was not begun"};
      // An exception here means that memory is short. The message is tried again later.
      run_guarded("a function", [&] { outcome = run_for(functions_, database_, message); });
      (*end)(std::move(outcome));
    });
    if (!is_taken) (*end)({AttemptOutcome::Kind::interrupted, "too many functions wait to be run"});
  }

 private:
  Functions& functions_;
  Database& database_;
};

// The commit that caused the event. No commit causes the expiry of a record that was written long
// before.
Value cause_of(const Event& event) {
  if (event.kind != Event::Kind::expired) return event.committed_at.micros;
  const bool is_old = event.death - event.version_at > limits::function_chain_expiry_max;
  return is_old ? Value(nullptr) : Value(event.version_at.micros);
}

// The notices by name. They have no data if only bounded content is requested.
Result<Object> notices_of(View& view, Directory& directory, const delivery::MessageParts& parts) {
  const std::string& name = parts.message.database;
  const auto workspace = directory.workspace(view.catalog_ptr(), name);
  const auto structure = workspace ? workspace->find(parts.collection->id) : nullptr;
  Object notices;
  if (!structure) return notices;
  std::size_t bytes = 0;
  std::vector<Notice> message;
  TRY(append_notices(view, structure, name, {&parts.event, 1}, bytes, message));
  for (Notice& notice : message) {
    if (parts.images == nullptr) leave_out_all(notice);
    notices.set(notice.type, std::move(notice.payload));
  }
  return notices;
}

}  // namespace

std::unique_ptr<delivery::Target> function_target(Functions& functions, Database& database) {
  return std::make_unique<FunctionTarget>(functions, database);
}

delivery::Format function_format(Database& database, Directory& directory) {
  const auto render = [&database, &directory](const delivery::MessageParts& parts,
                                              std::string& payload) -> Result<void> {
    View view = database.view();
    auto notices = notices_of(view, directory, parts);
    // After the last attempt to read them, the function runs without the notices that cannot be
    // read.
    if (!notices && parts.images != nullptr) return tl::unexpected(std::move(notices).error());
    payload += render_json(Object{{"cause", cause_of(parts.event)},
                                  {"recordId", parts.event.key.id},
                                  {"notices", notices ? *std::move(notices) : Object()}});
    return {};
  };
  return {.name = function_format_name,
          .event_name = [](Event::Kind kind) { return name_of(kind); },
          .render = render};
}

}  // namespace mayfly::centrali
