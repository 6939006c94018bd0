// `mayfly backup`: has a server make one, shows those there are, and removes one.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <memory>

#include "app/commands/commands.h"
#include "app/commands/listing.h"
#include "app/commands/remote.h"
#include "value/json/json.h"

namespace mayfly::app {
namespace {

// A backup waits for a flush of what is in memory, and copies what it cannot link.
constexpr Span backup_time_max = Span::seconds(3'600);

struct BackupArguments {
  Remote remote;
  std::string name;
  Format format = Format::table;
};

Result<std::string> make(const BackupArguments& given) {
  const Value made = TRY(ask(given.remote, {.method = "POST",
                                            .path = "/v1/backups",
                                            .body = render_json(Object{{"name", given.name}}),
                                            .time_max = backup_time_max}));
  const Value instant = made.member("instant"), bytes = made.member("bytes"),
              files = made.member("files");
  if (!instant.is(Kind::text) || !bytes.is(Kind::integer) || !files.is(Kind::integer)) {
    return fail(Code::internal, "that is not a Mayfly server");
  }
  return given.name + ": as of " + instant.text() + ", " + std::to_string(bytes.integer()) +
         " bytes in " + std::to_string(files.integer()) + " files";
}

int list_backups(const BackupArguments& given) {
  const auto all = ask(given.remote, {.path = "/v1/backups"});
  if (!all) return tell(all.error());
  Listing listing(given.format, {"NAME", "AS OF", "BYTES", "FILES"});
  const Value backups = all->member("backups");
  if (!backups.is(Kind::array)) return tell({Code::internal, "that is not a Mayfly server"});
  for (const Value& row : backups.array()) {
    listing.add(row, {shown(row.member("name")), shown(row.member("instant")),
                      shown(row.member("bytes")), shown(row.member("files"))});
  }
  listing.finish();
  return 0;
}

int remove_backup(const BackupArguments& given) {
  const auto removed =
      ask(given.remote, {.method = "DELETE", .path = "/v1/backups/" + escaped(given.name)});
  if (!removed) return tell(removed.error());
  std::printf("%s: removed\n", given.name.c_str());
  return 0;
}

int make_backup(const BackupArguments& given) {
  const auto made = make(given);
  if (!made) return tell(made.error());
  std::printf("%s\n", made->c_str());
  return 0;
}

}  // namespace

// `mayfly backup NAME` makes one, too, as it did when there was nothing else to do with backups.
std::function<int()> add_backup(CLI::App& verb) {
  auto given = std::make_shared<BackupArguments>();
  add_remote(verb, given->remote);
  const char* called = "The name of the backup.";
  verb.add_option("NAME", given->name, called);
  const auto add_verb = [&verb](const char* name, const char* help) {
    CLI::App* added = verb.add_subcommand(name, help);
    added->fallthrough();
    return added;
  };
  CLI::App* makes = add_verb("make", "Make a backup.");
  makes->add_option("NAME", given->name, called)->required();
  CLI::App* lists = add_verb("list", "List the complete backups.");
  add_format(*lists, given->format);
  CLI::App* removes = add_verb("remove", "Remove a backup.");
  removes->add_option("NAME", given->name, called)->required();
  return [given, lists, removes] {
    if (lists->parsed()) return list_backups(*given);
    if (given->name.empty()) {
      tell({Code::invalid, "a backup needs a name", "NAME"});
      return 2;  // as for every command line that is wrong
    }
    return removes->parsed() ? remove_backup(*given) : make_backup(*given);
  };
}

}  // namespace mayfly::app
