#include "dialect/native/subscriptions/shown.h"

#include "value/json/json.h"

namespace mayfly::native {
namespace {

Value shown_time(Instant t) {
  return t.is_never() || t == Instant::beginning() ? Value(nullptr) : Value(t);
}

Value text_or_null(const std::string& text) {
  return text.empty() ? Value(nullptr) : Value(text);
}

Value to_value(const delivery::SubscriptionState& state) {
  const delivery::SubscriptionProgress& progress = state.progress;
  return Object{{"delivered", progress.delivered},
                {"dead", progress.dead},
                {"waiting", static_cast<std::int64_t>(state.waiting)},
                {"under_way", static_cast<std::int64_t>(state.under_way)},
                {"oldest", shown_time(state.oldest)},
                {"rests_until", shown_time(state.rests_until)},
                {"gap", progress.has_gap},
                {"last_error", text_or_null(progress.last_error)},
                {"failed_at", shown_time(progress.failed_at)},
                {"delivered_at", shown_time(progress.delivered_at)}};
}

}  // namespace

Value to_value(const delivery::Subscription& subscription, const delivery::Target* target,
               const delivery::SubscriptionState& state, bool shows_secret) {
  Array collections, kinds;
  for (const std::string& name : subscription.collections) collections.push_back(name);
  for (const Event::Kind kind : subscription.kinds) kinds.push_back(name_of(kind));
  Object settings = target == nullptr ? Object() : target->shown(subscription.settings);
  const Value* secret = subscription.settings.find("secret");
  if (shows_secret && secret != nullptr) settings.set("secret", *secret);
  return Object{{"id", subscription.id},
                {"name", text_or_null(subscription.name)},
                {"collections", std::move(collections)},
                {"kinds", std::move(kinds)},
                {"filter", text_or_null(subscription.filter_text)},
                {"target", Object{{subscription.target, std::move(settings)}}},
                {"attempts_max", static_cast<std::int64_t>(subscription.attempts_max)},
                {"paused", subscription.is_paused},
                {"created_at", subscription.created_at},
                {"state", to_value(state)}};
}

Value to_value(const delivery::DeadLetter& letter) {
  const auto payload = parse_json(letter.message.payload);
  return Object{{"id", letter.message.id},
                {"event", letter.message.event},
                {"collection", letter.message.collection},
                {"attempts", letter.attempts},
                {"error", letter.error},
                {"died_at", letter.died_at},
                {"payload", payload ? *payload : Value(nullptr)}};
}

}  // namespace mayfly::native
