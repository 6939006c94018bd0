#include "dialect/native/subscriptions/asked.h"

#include <fmt/format.h>

#include "dialect/native/filter/filter.h"
#include "dialect/native/subscriptions/event_format.h"
#include "value/json/json.h"
#include "value/rfc3339.h"

namespace mayfly::native {
namespace {

constexpr std::size_t names_max = 1'000;  // names of collections

FeedPosition behind(Instant commit) {
  return {commit, UINT32_MAX};
}

Result<std::vector<std::string>> read_texts(MemberReader& members, std::string_view name) {
  std::vector<std::string> texts;
  const Array* list = TRY(members.array(name));
  if (list == nullptr) return texts;
  for (const Value& item : *list) {
    if (!item.is(Kind::text) || list->size() > names_max) {
      return tl::unexpected(
          members.wrong_kind(name, fmt::format("a list of at most {} texts", names_max)));
    }
    texts.push_back(item.text());
  }
  return texts;
}

Result<std::set<Event::Kind>> read_kinds(MemberReader& members) {
  std::set<Event::Kind> kinds;
  for (const std::string& name : TRY(read_texts(members, "kinds"))) {
    const auto kind = delivery::event_kind(name);
    if (!kind) {
      return fail(Code::invalid,
                  fmt::format("there is no kind of event '{}'; there are created, replaced, "
                              "removed, expired, restored and forgotten",
                              name),
                  "kinds");
    }
    kinds.insert(*kind);
  }
  return kinds;
}

// One member, whose name is the kind of the target.
Result<void> read_target(MemberReader& members, const delivery::Deliveries& deliveries,
                         delivery::Subscription& subscription) {
  const Object* target = TRY(members.object("target"));
  const bool is_one = target != nullptr && target->size() == 1;
  const delivery::Target* known = is_one ? deliveries.target(target->begin()->first) : nullptr;
  if (known == nullptr && is_one && target->begin()->first == "nats") {
    return fail(Code::invalid, "the server sends nothing to NATS: set nats.url", "target");
  }
  if (known == nullptr || !target->begin()->second.is(Kind::object)) {
    return fail(Code::invalid,
                R"(a target is written as {"webhook": {"url": "https://…"}} or as {"nats": {}})",
                "target");
  }
  subscription.target = known->kind();
  auto settings = known->settings_of(target->begin()->second.object());
  if (!settings) {
    Error error = std::move(settings).error();
    error.field = fmt::format("target.{}.{}", subscription.target, error.field);
    return tl::unexpected(std::move(error));
  }
  subscription.settings = *std::move(settings);
  return {};
}

}  // namespace

Result<FeedPosition> read_from(MemberReader& members, Instant now, FeedPosition initial) {
  const Value* from = members.find("from");
  if (from == nullptr) return initial;
  const std::string text = from->is(Kind::text) ? from->text() : std::string();
  if (text == "now") return behind(now);
  if (text == "beginning") return FeedPosition();
  const auto time = parse_rfc3339(text);
  if (time && *time <= now) return behind(*time);
  return tl::unexpected(
      members.wrong_kind("from", "\"now\", \"beginning\" or a time that has come"));
}

Result<delivery::Subscription> read_subscription(const Object& body,
                                                 const delivery::Deliveries& deliveries,
                                                 Instant now) {
  MemberReader members(body);
  delivery::Subscription made{.format = std::string(event_format_name)};
  made.name = TRY(members.text("name")).value_or("");
  made.collections = TRY(read_texts(members, "collections"));
  made.kinds = TRY(read_kinds(members));
  if (auto filter = TRY(members.text("filter"))) {
    made.filter = TRY(StoredExpression::of(TRY(parse_filter(*filter))).map_error([](Error error) {
      error.field = "filter";
      return error;
    }));
    made.filter_text = *std::move(filter);
  }
  TRY(read_target(members, deliveries, made));
  made.from = TRY(read_from(members, now, behind(now)));
  constexpr auto most = static_cast<std::int64_t>(limits::attempts_max);
  if (const auto attempts = TRY(members.integer("attempts_max", 1, most))) {
    made.attempts_max = static_cast<std::size_t>(*attempts);
  }
  // A message that is refused in a batch is sent alone afterwards.
  const std::size_t batch_max = deliveries.target(made.target)->batch_max(made.settings);
  if (batch_max > 1 && made.attempts_max < 2) {
    return fail(Code::invalid, "with batch_max there are at least 2 attempts", "attempts_max");
  }
  TRY(members.finish());
  if (render_json(Value(body)).size() > limits::subscription_bytes_max) {
    return fail(Code::too_large, fmt::format("a subscription has at most {} bytes as JSON",
                                             limits::subscription_bytes_max));
  }
  return made;
}

}  // namespace mayfly::native
