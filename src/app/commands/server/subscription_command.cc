// `mayfly subscription`: makes subscriptions, shows how far they are, and pauses, replays and
// removes them.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <memory>

#include "app/commands/commands.h"
#include "app/commands/listing.h"
#include "app/commands/span_text.h"
#include "value/json/json.h"

namespace mayfly::app {
namespace {

struct SubscriptionArguments {
  Remote remote;
  std::string database;
  std::string id;
  std::string name, filter, from;
  std::vector<std::string> collections, kinds;
  std::string webhook, subject;
  bool is_nats = false;
  std::optional<std::int64_t> attempts_max;  // nothing: as many as the server likes
  std::optional<std::int64_t> batch_max;     // nothing: messages go one by one
  Format format = Format::table;

  std::string path() const { return "/v1/databases/" + escaped(database) + "/subscriptions"; }
  std::string own_path() const { return path() + "/" + escaped(id); }
};

Value texts(const std::vector<std::string>& all) {
  Array array;
  for (const std::string& text : all) array.push_back(text);
  return Value(std::move(array));
}

Object body_of(const SubscriptionArguments& given) {
  Object body;
  const auto set = [&body](const char* member, const std::string& text) {
    if (!text.empty()) body.set(member, text);
  };
  set("name", given.name);
  set("filter", given.filter);
  set("from", given.from);
  if (!given.collections.empty()) body.set("collections", texts(given.collections));
  if (!given.kinds.empty()) body.set("kinds", texts(given.kinds));
  if (given.attempts_max) body.set("attempts_max", *given.attempts_max);
  Object target;
  if (!given.webhook.empty()) {
    Object webhook{{"url", given.webhook}};
    if (given.batch_max) webhook.set("batch_max", *given.batch_max);
    target.set("webhook", std::move(webhook));
  }
  Object nats;
  if (!given.subject.empty()) nats.set("subject", given.subject);
  if (given.is_nats || !given.subject.empty()) target.set("nats", std::move(nats));
  body.set("target", std::move(target));
  return body;
}

// Does one thing, and prints the answer as it is.
int ask_and_print(const SubscriptionArguments& given, const Ask& what, const char* done) {
  const auto answer = ask(given.remote, what);
  if (!answer) return tell(answer.error());
  std::printf("%s\n", answer->is_null() ? done : render_json(*answer).c_str());
  return 0;
}

std::string where_to(const Value& target) {
  const Value webhook = target.member("webhook");
  if (webhook.is(Kind::object)) return shown(webhook.member("url"));
  return target.is(Kind::object) && !target.object().empty() ? target.object().begin()->first : "-";
}

int list_subscriptions(const SubscriptionArguments& given) {
  const auto answer = ask(given.remote, {.path = given.path()});
  if (!answer) return tell(answer.error());
  Listing listing(given.format,
                  {"ID", "TO", "PAUSED", "DELIVERED", "WAITING", "OLDEST", "DEAD", "LAST ERROR"});
  const Value all = answer->member("subscriptions");
  if (!all.is(Kind::array)) return tell({Code::internal, "that is not a Mayfly server"});
  for (const Value& row : all.array()) {
    const Value state = row.member("state");
    listing.add(row,
                {shown(row.member("id")), where_to(row.member("target")),
                 row.member("paused").is_true() ? "yes" : "no", shown(state.member("delivered")),
                 shown(state.member("waiting")), shown(state.member("oldest")),
                 shown(state.member("dead")), shown(state.member("last_error"))});
  }
  listing.finish();
  return 0;
}

int list_letters(const SubscriptionArguments& given) {
  Listing listing(given.format, {"ID", "COLLECTION", "EVENT", "ATTEMPTS", "GIVEN UP", "ERROR"});
  std::string page;
  do {
    const auto answer = ask(given.remote, {.path = given.own_path() + "/dead_letters" + page});
    if (!answer) return tell(answer.error());
    const Value letters = answer->member("dead_letters");
    if (!letters.is(Kind::array)) return tell({Code::internal, "that is not a Mayfly server"});
    for (const Value& row : letters.array()) {
      listing.add(row, {shown(row.member("id")), shown(row.member("collection")),
                        shown(row.member("event")), shown(row.member("attempts")),
                        shown(row.member("died_at")), shown(row.member("error"))});
    }
    const Value next = answer->member("next");
    page = next.is(Kind::text) ? "?page=" + escaped(next.text()) : std::string();
  } while (!page.empty());
  listing.finish();
  return 0;
}

// Page by page: what is given up once more meanwhile is behind.
int send_again(const SubscriptionArguments& given) {
  std::int64_t sent = 0;
  std::string page;
  bool has_more = true;
  while (has_more) {
    const auto answer = ask(
        given.remote, {.method = "POST", .path = given.own_path() + "/dead_letters/send" + page});
    if (!answer) return tell(answer.error());
    const Value count = answer->member("sent");
    if (!count.is(Kind::integer)) return tell({Code::internal, "that is not a Mayfly server"});
    sent += count.integer();
    const Value next = answer->member("next");
    has_more = next.is(Kind::text);
    if (has_more) page = "?page=" + escaped(next.text());
  }
  std::printf("%s\n", render_json(Object{{"sent", sent}}).c_str());
  return 0;
}

using Run = int (*)(const SubscriptionArguments&);
struct VerbRow {
  const char* name;
  const char* help;
  bool has_id;
  Run run;
};
const VerbRow verbs[] = {
    {"list", "List the subscriptions of a database, and how far they are.", false,
     list_subscriptions},
    {"create", "Make a subscription; the answer shows a webhook's secret once.", false,
     [](const SubscriptionArguments& given) {
       return ask_and_print(
           given,
           {.method = "POST", .path = given.path(), .body = render_json(Value(body_of(given)))},
           "made");
     }},
    {"show", "Show a subscription and its state as JSON.", true,
     [](const SubscriptionArguments& given) {
       return ask_and_print(given, {.path = given.own_path()}, "");
     }},
    {"pause", "Pause a subscription; it keeps its place.", true,
     [](const SubscriptionArguments& given) {
       return ask_and_print(given, {.method = "POST", .path = given.own_path() + "/pause"},
                            "paused");
     }},
    {"resume", "Resume a subscription.", true,
     [](const SubscriptionArguments& given) {
       return ask_and_print(given, {.method = "POST", .path = given.own_path() + "/resume"},
                            "resumed");
     }},
    {"replay", "Send events again, all that the feeds keep or those from an instant on.", true,
     [](const SubscriptionArguments& given) {
       const std::string from = given.from.empty() ? "beginning" : given.from;
       return ask_and_print(given,
                            {.method = "POST",
                             .path = given.own_path() + "/replay",
                             .body = render_json(Object{{"from", from}})},
                            "replayed");
     }},
    {"remove", "Remove a subscription.", true,
     [](const SubscriptionArguments& given) {
       return ask_and_print(given, {.method = "DELETE", .path = given.own_path()}, "removed");
     }},
    {"dead-letters", "List the messages that a subscription has given up.", true, list_letters},
    {"send-again", "Send them again.", true, send_again},
};

void add_from(CLI::App& verb, SubscriptionArguments& given) {
  verb.add_option("--from", given.from, "The first events: now, beginning or an RFC 3339 time.")
      ->type_name("WHEN");
}

void add_creation(CLI::App& verb, SubscriptionArguments& given) {
  verb.add_option("--collection", given.collections, "Only of this collection; may be repeated.");
  verb.add_option("--kind", given.kinds, "Only events of this kind; may be repeated.");
  verb.add_option("--filter", given.filter, "Only of documents that match it.");
  verb.add_option("--name", given.name, "A name for people.");
  add_from(verb, given);
  verb.add_option("--attempts", given.attempts_max, "A message is given up after so many.")
      ->type_name("N");
  CLI::Option_group* to = verb.add_option_group("target", "Where messages go.");
  to->add_option("--webhook", given.webhook, "To this URL.")->type_name("URL");
  verb.add_option("--batch", given.batch_max, "To a URL, in lists of so many messages at most.")
      ->type_name("N")
      ->needs("--webhook");
  to->add_flag("--nats", given.is_nats, "To NATS, on the subject of the server's setting.");
  to->add_option("--subject", given.subject, "To NATS, on this subject.")->type_name("SUBJECT");
  to->require_option(1);
}

}  // namespace

std::function<int()> add_subscription(CLI::App& verb) {
  auto given = std::make_shared<SubscriptionArguments>();
  verb.require_subcommand(1);
  std::vector<std::pair<CLI::App*, Run>> added;
  for (const VerbRow& row : verbs) {
    CLI::App* one = verb.add_subcommand(row.name, row.help);
    const std::string_view name = row.name;
    add_remote(*one, given->remote);
    one->add_option("--database", given->database, "The database.")->required();
    if (row.has_id) one->add_option("ID", given->id, "The subscription.")->required();
    if (name == "create") add_creation(*one, *given);
    if (name == "replay") add_from(*one, *given);
    if (name == "list" || name == "dead-letters") add_format(*one, given->format);
    added.emplace_back(one, row.run);
  }
  return [given, added] {
    for (const auto& [one, run] : added) {
      if (one->parsed()) return run(*given);
    }
    return 0;
  };
}

}  // namespace mayfly::app
