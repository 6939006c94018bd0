// `mayfly subscription`: creates subscriptions, shows their progress, and pauses, replays and
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
  std::optional<std::int64_t> attempts_max;  // nullopt: the server's default
  std::optional<std::int64_t> batch_max;     // nullopt: one message at a time
  Format format = Format::table;

  std::string path() const { return "/v1/databases/" + escaped(database) + "/subscriptions"; }
  std::string own_path() const { return path() + "/" + escaped(id); }
};

Value texts(const std::vector<std::string>& all) {
  Array array;
  for (const std::string& text : all) array.push_back(text);
  return Value(std::move(array));
}

Object body_of(const SubscriptionArguments& arguments) {
  Object body;
  const auto set = [&body](const char* member, const std::string& text) {
    if (!text.empty()) body.set(member, text);
  };
  set("name", arguments.name);
  set("filter", arguments.filter);
  set("from", arguments.from);
  if (!arguments.collections.empty()) body.set("collections", texts(arguments.collections));
  if (!arguments.kinds.empty()) body.set("kinds", texts(arguments.kinds));
  if (arguments.attempts_max) body.set("attempts_max", *arguments.attempts_max);
  Object target;
  if (!arguments.webhook.empty()) {
    Object webhook{{"url", arguments.webhook}};
    if (arguments.batch_max) webhook.set("batch_max", *arguments.batch_max);
    target.set("webhook", std::move(webhook));
  }
  Object nats;
  if (!arguments.subject.empty()) nats.set("subject", arguments.subject);
  if (arguments.is_nats || !arguments.subject.empty()) target.set("nats", std::move(nats));
  body.set("target", std::move(target));
  return body;
}

// Sends one request, and prints its answer unchanged.
int call_and_print(const SubscriptionArguments& arguments, const ApiRequest& request,
                   const char* done) {
  const auto answer = call_api(arguments.remote, request);
  if (!answer) return print_error(answer.error());
  std::printf("%s\n", answer->is_null() ? done : render_json(*answer).c_str());
  return 0;
}

std::string where_to(const Value& target) {
  const Value webhook = target.member("webhook");
  if (webhook.is(Kind::object)) return cell_text(webhook.member("url"));
  return target.is(Kind::object) && !target.object().empty() ? target.object().begin()->first : "-";
}

int list_subscriptions(const SubscriptionArguments& arguments) {
  const auto answer = call_api(arguments.remote, {.path = arguments.path()});
  if (!answer) return print_error(answer.error());
  Listing listing(arguments.format,
                  {"ID", "TO", "PAUSED", "DELIVERED", "WAITING", "OLDEST", "DEAD", "LAST ERROR"});
  const Value all = answer->member("subscriptions");
  if (!all.is(Kind::array)) return print_error({Code::internal, "that is not a Mayfly server"});
  for (const Value& row : all.array()) {
    const Value state = row.member("state");
    listing.add(
        row, {cell_text(row.member("id")), where_to(row.member("target")),
              row.member("paused").is_true() ? "yes" : "no", cell_text(state.member("delivered")),
              cell_text(state.member("waiting")), cell_text(state.member("oldest")),
              cell_text(state.member("dead")), cell_text(state.member("last_error"))});
  }
  listing.finish();
  return 0;
}

int list_letters(const SubscriptionArguments& arguments) {
  Listing listing(arguments.format, {"ID", "COLLECTION", "EVENT", "ATTEMPTS", "GIVEN UP", "ERROR"});
  std::string page;
  do {
    const auto answer =
        call_api(arguments.remote, {.path = arguments.own_path() + "/dead_letters" + page});
    if (!answer) return print_error(answer.error());
    const Value letters = answer->member("dead_letters");
    if (!letters.is(Kind::array)) {
      return print_error({Code::internal, "that is not a Mayfly server"});
    }
    for (const Value& row : letters.array()) {
      listing.add(row, {cell_text(row.member("id")), cell_text(row.member("collection")),
                        cell_text(row.member("event")), cell_text(row.member("attempts")),
                        cell_text(row.member("died_at")), cell_text(row.member("error"))});
    }
    const Value next = answer->member("next");
    page = next.is(Kind::text) ? "?page=" + escaped(next.text()) : std::string();
  } while (!page.empty());
  listing.finish();
  return 0;
}

// Page by page: messages that are given up again meanwhile come after the current page.
int send_again(const SubscriptionArguments& arguments) {
  std::int64_t sent = 0;
  std::string page;
  bool has_more = true;
  while (has_more) {
    const auto answer =
        call_api(arguments.remote,
                 {.method = "POST", .path = arguments.own_path() + "/dead_letters/send" + page});
    if (!answer) return print_error(answer.error());
    const Value count = answer->member("sent");
    if (!count.is(Kind::integer)) {
      return print_error({Code::internal, "that is not a Mayfly server"});
    }
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
     [](const SubscriptionArguments& arguments) {
       return call_and_print(arguments,
                             {.method = "POST",
                              .path = arguments.path(),
                              .body = render_json(Value(body_of(arguments)))},
                             "made");
     }},
    {"show", "Show a subscription and its state as JSON.", true,
     [](const SubscriptionArguments& arguments) {
       return call_and_print(arguments, {.path = arguments.own_path()}, "");
     }},
    {"pause", "Pause a subscription; it keeps its place.", true,
     [](const SubscriptionArguments& arguments) {
       return call_and_print(arguments, {.method = "POST", .path = arguments.own_path() + "/pause"},
                             "paused");
     }},
    {"resume", "Resume a subscription.", true,
     [](const SubscriptionArguments& arguments) {
       return call_and_print(
           arguments, {.method = "POST", .path = arguments.own_path() + "/resume"}, "resumed");
     }},
    {"replay", "Send events again, all that the feeds keep or those from an instant on.", true,
     [](const SubscriptionArguments& arguments) {
       const std::string from = arguments.from.empty() ? "beginning" : arguments.from;
       return call_and_print(arguments,
                             {.method = "POST",
                              .path = arguments.own_path() + "/replay",
                              .body = render_json(Object{{"from", from}})},
                             "replayed");
     }},
    {"remove", "Remove a subscription.", true,
     [](const SubscriptionArguments& arguments) {
       return call_and_print(arguments, {.method = "DELETE", .path = arguments.own_path()},
                             "removed");
     }},
    {"dead-letters", "List the messages that a subscription has given up.", true, list_letters},
    {"send-again", "Send them again.", true, send_again},
};

// An empty value mostly comes from a variable of the shell that is not set. To ignore it would send
// all events where some were meant.
void refuse_empty_values(CLI::App& verb) {
  for (CLI::Option* option : verb.get_options()) {
    if (option->get_name() == "--key") continue;  // empty: none
    option->check([](const std::string& text) { return text.empty() ? "it is empty" : ""; }, "");
  }
}

void add_from(CLI::App& verb, SubscriptionArguments& arguments) {
  verb.add_option("--from", arguments.from, "The first events: now, beginning or an RFC 3339 time.")
      ->type_name("WHEN");
}

void add_creation(CLI::App& verb, SubscriptionArguments& arguments) {
  verb.add_option("--collection", arguments.collections,
                  "Only of this collection; may be repeated.");
  verb.add_option("--kind", arguments.kinds, "Only events of this kind; may be repeated.");
  verb.add_option("--filter", arguments.filter, "Only of documents that match it.");
  verb.add_option("--name", arguments.name, "A name for people.");
  add_from(verb, arguments);
  verb.add_option("--attempts", arguments.attempts_max, "A message is given up after so many.")
      ->type_name("N");
  CLI::Option_group* to = verb.add_option_group("target", "Where messages go.");
  to->add_option("--webhook", arguments.webhook, "To this URL.")->type_name("URL");
  verb.add_option("--batch", arguments.batch_max, "To a URL, in lists of so many messages at most.")
      ->type_name("N")
      ->needs("--webhook");
  to->add_flag("--nats", arguments.is_nats, "To NATS, on the subject of the server's setting.");
  to->add_option("--subject", arguments.subject, "To NATS, on this subject.")->type_name("SUBJECT");
  to->require_option(1);
  refuse_empty_values(*to);
}

}  // namespace

std::function<int()> add_subscription(CLI::App& verb) {
  auto arguments = std::make_shared<SubscriptionArguments>();
  verb.require_subcommand(1);
  std::vector<std::pair<CLI::App*, Run>> added;
  for (const VerbRow& row : verbs) {
    CLI::App* one = verb.add_subcommand(row.name, row.help);
    const std::string_view name = row.name;
    add_remote(*one, arguments->remote);
    one->add_option("--database", arguments->database, "The database.")->required();
    if (row.has_id) one->add_option("ID", arguments->id, "The subscription.")->required();
    if (name == "create") add_creation(*one, *arguments);
    if (name == "replay") add_from(*one, *arguments);
    if (name == "list" || name == "dead-letters") add_format(*one, arguments->format);
    refuse_empty_values(*one);
    added.emplace_back(one, row.run);
  }
  return [arguments, added] {
    for (const auto& [one, run] : added) {
      if (one->parsed()) return run(*arguments);
    }
    return 0;
  };
}

}  // namespace mayfly::app
