// `mayfly hold`: keeps documents from their end, shows what is kept, and lets it go.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <memory>

#include "app/commands/commands.h"
#include "app/commands/listing.h"
#include "app/commands/place.h"
#include "app/commands/span_text.h"
#include "value/json/json.h"

namespace mayfly::app {
namespace {

struct HoldArguments {
  Place place;
  std::string author;
  std::string reason;
  std::string removed_at;  // of the version to release; empty: all of them
  std::vector<std::string> ids;
  Format format = Format::table;
};

// Does the same to every document; those that cannot be are told of.
int for_each_id(const HoldArguments& given, const Ask& what, const char* done) {
  int status = 0;
  for (const std::string& id : given.ids) {
    Ask one = what;
    one.path = given.place.path() + "/holds/" + escaped(id);
    if (!given.removed_at.empty()) one.path += "?removed_at=" + escaped(given.removed_at);
    one.author = given.author;
    const auto answer = ask(given.place.remote, one);
    if (answer) {
      std::printf("%s: %s\n", shown(Value(id)).c_str(), done);
    } else {
      status = tell(answer.error());
    }
  }
  return status;
}

int list_holds(const HoldArguments& given) {
  Listing listing(given.format, {"ID", "HELD AT", "BY", "IN THE TRASH", "REASON"});
  const auto read =
      for_each_row(given.place.remote, given.place.path() + "/holds", "documents",
                   [&listing](const Value& row) -> Result<void> {
                     const Value hold = row.member("hold");
                     listing.add(row, {shown(row.member("id")), shown(hold.member("held_at")),
                                       shown(hold.member("by")), shown(row.member("removed_at")),
                                       shown(hold.member("reason"))});
                     return {};
                   });
  if (!read) return tell(read.error());
  listing.finish();
  return 0;
}

CLI::App* add_verb(CLI::App& verb, const char* name, const char* help, HoldArguments& given) {
  CLI::App* added = verb.add_subcommand(name, help);
  add_place(*added, given.place);
  return added;
}

void add_ids(CLI::App& verb, HoldArguments& given) {
  add_author(verb, given.author);
  verb.add_option("ID", given.ids, "The documents.")->required();
}

}  // namespace

std::function<int()> add_hold(CLI::App& verb) {
  auto given = std::make_shared<HoldArguments>();
  verb.require_subcommand(1);
  CLI::App* set = add_verb(verb, "set",
                           "Hold documents: they do not expire until they are "
                           "released.",
                           *given);
  add_ids(*set, *given);
  set->add_option("--reason", given->reason, "The reason; the list shows it.")->type_name("TEXT");
  CLI::App* shows = add_verb(verb, "list", "List the held documents.", *given);
  add_format(*shows, given->format);
  CLI::App* release = add_verb(verb, "release", "Release documents.", *given);
  add_ids(*release, *given);
  release
      ->add_option("--removed-at", given->removed_at,
                   "Only the version in the trash that was removed at that instant, as the list "
                   "shows it.")
      ->type_name("TIME")
      ->check(check_time, "");
  return [given, set, shows] {
    if (shows->parsed()) return list_holds(*given);
    if (!set->parsed()) return for_each_id(*given, {.method = "DELETE"}, "released");
    const std::string body = render_json(Object{{"reason", given->reason}});
    return for_each_id(*given, {.method = "PUT", .body = body}, "held");
  };
}

}  // namespace mayfly::app
