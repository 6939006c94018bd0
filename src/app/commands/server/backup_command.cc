// `mayfly backup`: requests a backup from a server, lists backups, and removes one.
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

Result<std::string> make(const BackupArguments& arguments) {
  const Value made =
      TRY(call_api(arguments.remote, {.method = "POST",
                                      .path = "/v1/backups",
                                      .body = render_json(Object{{"name", arguments.name}}),
                                      .time_max = backup_time_max}));
  const Value instant = made.member("instant"), bytes = made.member("bytes"),
              files = made.member("files");
  if (!instant.is(Kind::text) || !bytes.is(Kind::integer) || !files.is(Kind::integer)) {
    return fail(Code::internal, "that is not a Mayfly server");
  }
  return arguments.name + ": as of " + instant.text() + ", " + std::to_string(bytes.integer()) +
         " bytes in " + std::to_string(files.integer()) + " files";
}

int list_backups(const BackupArguments& arguments) {
  const auto all = call_api(arguments.remote, {.path = "/v1/backups"});
  if (!all) return print_error(all.error());
  Listing listing(arguments.format, {"NAME", "AS OF", "BYTES", "FILES"});
  const Value backups = all->member("backups");
  if (!backups.is(Kind::array)) return print_error({Code::internal, "that is not a Mayfly server"});
  for (const Value& row : backups.array()) {
    listing.add(row, {cell_text(row.member("name")), cell_text(row.member("instant")),
                      cell_text(row.member("bytes")), cell_text(row.member("files"))});
  }
  listing.finish();
  return 0;
}

int remove_backup(const BackupArguments& arguments) {
  const auto removed = call_api(
      arguments.remote, {.method = "DELETE", .path = "/v1/backups/" + escaped(arguments.name)});
  if (!removed) return print_error(removed.error());
  std::printf("%s: removed\n", arguments.name.c_str());
  return 0;
}

int make_backup(const BackupArguments& arguments) {
  const auto made = make(arguments);
  if (!made) return print_error(made.error());
  std::printf("%s\n", made->c_str());
  return 0;
}

}  // namespace

// `mayfly backup NAME` creates a backup, too, for compatibility with earlier versions, which had no
// other verb.
std::function<int()> add_backup(CLI::App& verb) {
  auto arguments = std::make_shared<BackupArguments>();
  add_remote(verb, arguments->remote);
  const char* called = "The name of the backup.";
  verb.add_option("NAME", arguments->name, called);
  const auto add_verb = [&verb](const char* name, const char* help) {
    CLI::App* added = verb.add_subcommand(name, help);
    added->fallthrough();
    return added;
  };
  CLI::App* makes = add_verb("make", "Make a backup.");
  makes->add_option("NAME", arguments->name, called)->required();
  CLI::App* lists = add_verb("list", "List the complete backups.");
  add_format(*lists, arguments->format);
  CLI::App* removes = add_verb("remove", "Remove a backup.");
  removes->add_option("NAME", arguments->name, called)->required();
  return [arguments, lists, removes] {
    if (lists->parsed()) return list_backups(*arguments);
    if (arguments->name.empty()) {
      print_error({Code::invalid, "a backup needs a name", "NAME"});
      return 2;  // the status of every wrong command line
    }
    return removes->parsed() ? remove_backup(*arguments) : make_backup(*arguments);
  };
}

}  // namespace mayfly::app
