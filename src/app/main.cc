// The binary: one verb, read and run.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>

#include "app/commands/commands.h"

int main(int argc, char** argv) {
  using mayfly::app::Command;
  static constexpr Command commands[] = {
      {"serve", "Serve a database.", mayfly::app::add_serve},
      {"clock", "Show a server's clock, or move a virtual one.", mayfly::app::add_clock},
  };
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
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return status;
}
