#include "delivery/subscription.h"

#include <algorithm>

#include "delivery/rows/stored_members.h"

namespace mayfly::delivery {
namespace {

// REACHES DISK: the name of the table, and of the members.
constexpr std::string_view table_name = "#subscriptions";

constexpr Event::Kind all_kinds[] = {Event::Kind::created,  Event::Kind::replaced,
                                     Event::Kind::removed,  Event::Kind::expired,
                                     Event::Kind::restored, Event::Kind::forgotten};

Result<std::vector<std::string>> texts_of(const Value& list, std::string_view member) {
  std::vector<std::string> texts;
  if (!list.is(Kind::array)) return not_as_written(member);
  for (const Value& item : list.array()) {
    if (!item.is(Kind::text)) return not_as_written(member);
    texts.push_back(item.text());
  }
  return texts;
}

}  // namespace

std::optional<Event::Kind> event_kind(std::string_view name) {
  const auto found = std::find_if(std::begin(all_kinds), std::end(all_kinds),
                                  [name](Event::Kind kind) { return name_of(kind) == name; });
  return found == std::end(all_kinds) ? std::nullopt : std::optional(*found);
}

PrivateSpec Subscription::table() {
  return {.name = table_name};
}

Result<Subscription> Subscription::decode(const Document& document) {
  const Value body = document.body.unpack();
  StoredMembers in(body);
  Subscription row;
  row.id = document.id;
  row.name = in.text("name");
  row.filter_text = in.text("filter");
  row.format = in.text("format");
  row.target = in.text("target");
  row.from = in.position("from");
  row.round = in.integer("round");
  row.is_paused = in.flag("paused");
  row.attempts_max = static_cast<std::size_t>(in.integer("attempts_max"));
  const std::string condition = in.text("condition");
  TRY(in.finish());
  if (!condition.empty()) row.filter = TRY(StoredExpression::parse(condition));
  row.collections = TRY(texts_of(body.member("collections"), "collections"));
  for (const std::string& name : TRY(texts_of(body.member("kinds"), "kinds"))) {
    const auto kind = event_kind(name);
    if (!kind) return not_as_written("kinds");
    row.kinds.insert(*kind);
  }
  const Value settings = body.member("settings");
  if (!settings.is(Kind::object)) return not_as_written("settings");
  row.settings = settings.object();
  const Value names = body.member("names");
  if (!names.is(Kind::missing)) {
    for (std::string& name : TRY(texts_of(names, "names"))) row.names.insert(std::move(name));
  }
  row.is_logged = body.member("logged").is_true();
  const Value owner = body.member("owner");
  if (owner.is(Kind::text)) row.owner = owner.text();
  row.created_at = document.created_at;
  row.changed_at = document.version.written_at;
  return row;
}

Result<Value> Subscription::encode() const {
  Array named, kind_names;
  for (const std::string& collection : collections) named.push_back(collection);
  for (const Event::Kind kind : kinds) kind_names.push_back(name_of(kind));
  Object body{{"name", name},
              {"collections", std::move(named)},
              {"kinds", std::move(kind_names)},
              {"filter", filter_text},
              {"condition", filter.text},
              {"format", format},
              {"target", target},
              {"settings", settings},
              {"from", stored_position(from)},
              {"round", round},
              {"paused", is_paused},
              {"attempts_max", static_cast<std::int64_t>(attempts_max)}};
  if (!owner.empty()) body.set("owner", owner);
  if (is_logged) body.set("logged", true);
  if (names.empty()) return Value(std::move(body));
  Array message_names;
  for (const std::string& one : names) message_names.push_back(one);
  body.set("names", std::move(message_names));
  return Value(std::move(body));
}

}  // namespace mayfly::delivery
