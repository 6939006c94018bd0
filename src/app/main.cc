// The binary: parses and runs one verb.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <span>
#include <string>

#include "app/commands/commands.h"
#include "app/commands/suggest.h"
#include "base/similar.h"
#include "script/process/child.h"

namespace {

using mayfly::app::Command;

constexpr Command commands[] = {
    {"serve", "Run the server.", mayfly::app::add_serve},
    {"clock", "Show a server's clock, or move a virtual one.", mayfly::app::add_clock},
    {"status", "Show the version, the sweeper and the databases of a server.",
     mayfly::app::add_status},
    {"export", "Write a collection's documents as lines of JSON.", mayfly::app::add_export},
    {"import", "Write documents from lines of JSON to a collection.", mayfly::app::add_import},
    {"backup", "Make, list or remove backups of a server.", mayfly::app::add_backup},
    {"restore", "Create a data directory from a backup, without a server.",
     mayfly::app::add_restore},
    {"repair", "Repair a damaged data directory by leaving out what is damaged.",
     mayfly::app::add_repair},
    {"touch", "Extend the lifetime of documents.", mayfly::app::add_touch},
    {"hold", "Hold documents, so that they do not expire and cannot be removed.",
     mayfly::app::add_hold},
    {"forecast", "Show how many documents expire in the next hours or days.",
     mayfly::app::add_forecast},
    {"preview", "Show how many documents would be expired under another default.",
     mayfly::app::add_preview},
    {"trash", "List, restore or erase removed documents.", mayfly::app::add_trash},
    {"subscription", "Make, list, pause, replay or remove subscriptions to events.",
     mayfly::app::add_subscription},
    {"purges", "List, export or verify the record of purges.", mayfly::app::add_purges},
};

// If the first word is no subcommand, prints to standard error which one may be meant.
bool is_no_command(const std::string& word) {
  constexpr std::size_t word_bytes_max = 64;
  if (word.empty() || word.starts_with('-')) return false;
  const auto distance = [&](const Command& command) {
    return mayfly::edit_distance(std::string_view(word).substr(0, word_bytes_max), command.name);
  };
  const Command& nearest = *std::ranges::min_element(commands, {}, distance);
  if (nearest.name == word) return false;
  std::fprintf(stderr,
               "mayfly: there is no subcommand '%s'; the nearest is '%s', and --help lists all\n",
               word.c_str(), nearest.name);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  mayfly::script::serve_if_sandbox(argc, argv);
  // A parent process may have ignored SIGCHLD; then the system would not keep exit statuses.
  std::signal(SIGCHLD, SIG_DFL);
  if (argc > 1 && is_no_command(argv[1])) return 2;
  CLI::App app("Mayfly: a document database in which every document has a lifetime.", "mayfly");
  app.set_version_flag("--version", "mayfly " MAYFLY_VERSION);
  app.require_subcommand(1);
  int status = 0;
  for (const Command& command : commands) {
    CLI::App* verb = app.add_subcommand(command.name, command.help);
    verb->callback([run = command.add(*verb), &status] { status = run(); });
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ExtrasError& error) {
    const int ended = app.exit(error);
    for (const CLI::App* verb : app.get_subcommands()) mayfly::app::suggest_flags(*verb);
    return ended == 0 ? 0 : 2;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return status;
}
