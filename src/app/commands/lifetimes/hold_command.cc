// `mayfly hold`: sets holds on documents, lists them, and releases them.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <memory>

#include "app/commands/commands.h"
#include "app/commands/listing.h"
#include "app/commands/span_text.h"
#include "app/commands/target_collection.h"
#include "value/json/json.h"

namespace mayfly::app {
namespace {

struct HoldArguments {
  TargetCollection target;
  std::string author;
  std::string reason;
  std::string removed_at;  // of the version to release; empty: all of them
  std::vector<std::string> ids;
  Format format = Format::table;
};

// Sends the request for every document; reports those that fail.
int for_each_id(const HoldArguments& arguments, const ApiRequest& request, const char* done) {
  int status = 0;
  for (const std::string& id : arguments.ids) {
    ApiRequest one = request;
    one.path = arguments.target.path() + "/holds/" + escaped(id);
    if (!arguments.removed_at.empty()) one.path += "?removed_at=" + escaped(arguments.removed_at);
    one.author = arguments.author;
    const auto answer = call_api(arguments.target.remote, one);
    if (answer) {
      std::printf("%s: %s\n", cell_text(Value(id)).c_str(), done);
    } else {
      status = print_error(answer.error());
    }
  }
  return status;
}

int list_holds(const HoldArguments& arguments) {
  Listing listing(arguments.format, {"ID", "HELD AT", "BY", "IN THE TRASH", "REASON"});
  const auto read = for_each_row(
      arguments.target.remote, arguments.target.path() + "/holds", "documents",
      [&listing](const Value& row) -> Result<void> {
        const Value hold = row.member("hold");
        listing.add(row, {cell_text(row.member("id")), cell_text(hold.member("held_at")),
                          cell_text(hold.member("by")), cell_text(row.member("removed_at")),
                          cell_text(hold.member("reason"))});
        return {};
      });
  if (!read) return print_error(read.error());
  listing.finish();
  return 0;
}

CLI::App* add_verb(CLI::App& verb, const char* name, const char* help, HoldArguments& arguments) {
  CLI::App* added = verb.add_subcommand(name, help);
  add_collection_flags(*added, arguments.target);
  return added;
}

void add_ids(CLI::App& verb, HoldArguments& arguments) {
  add_author(verb, arguments.author);
  verb.add_option("ID", arguments.ids, "The documents.")->required();
}

}  // namespace

std::function<int()> add_hold(CLI::App& verb) {
  auto arguments = std::make_shared<HoldArguments>();
  verb.require_subcommand(1);
  CLI::App* set = add_verb(verb, "set",
                           "Hold documents: they do not expire until they are "
                           "released.",
                           *arguments);
  add_ids(*set, *arguments);
  set->add_option("--reason", arguments->reason, "The reason; the list shows it.")
      ->type_name("TEXT");
  CLI::App* shows = add_verb(verb, "list", "List the held documents.", *arguments);
  add_format(*shows, arguments->format);
  CLI::App* release = add_verb(verb, "release", "Release documents.", *arguments);
  add_ids(*release, *arguments);
  release
      ->add_option("--removed-at", arguments->removed_at,
                   "Only the version in the trash that was removed at that instant, as the list "
                   "shows it.")
      ->type_name("TIME")
      ->check(check_time, "");
  return [arguments, set, shows] {
    if (shows->parsed()) return list_holds(*arguments);
    if (!set->parsed()) return for_each_id(*arguments, {.method = "DELETE"}, "released");
    const std::string body = render_json(Object{{"reason", arguments->reason}});
    return for_each_id(*arguments, {.method = "PUT", .body = body}, "held");
  };
}

}  // namespace mayfly::app
