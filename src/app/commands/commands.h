// The command line: one row for each verb.
#pragma once

#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace mayfly::app {

struct Command {
  const char* name;
  const char* help;
  // Adds its flags to `verb`. The returned function runs the verb and gives the process's exit
  // status.
  std::function<int()> (*add)(CLI::App& verb);
};

std::function<int()> add_serve(CLI::App& verb);
std::function<int()> add_clock(CLI::App& verb);
std::function<int()> add_status(CLI::App& verb);
std::function<int()> add_export(CLI::App& verb);
std::function<int()> add_import(CLI::App& verb);
std::function<int()> add_backup(CLI::App& verb);
std::function<int()> add_restore(CLI::App& verb);
std::function<int()> add_touch(CLI::App& verb);
std::function<int()> add_hold(CLI::App& verb);
std::function<int()> add_forecast(CLI::App& verb);
std::function<int()> add_preview(CLI::App& verb);
std::function<int()> add_trash(CLI::App& verb);
std::function<int()> add_purges(CLI::App& verb);
std::function<int()> add_subscription(CLI::App& verb);
std::function<int()> add_repair(CLI::App& verb);

}  // namespace mayfly::app
