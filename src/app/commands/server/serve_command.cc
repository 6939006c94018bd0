// `mayfly serve`: its flags come from the table of settings.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <map>
#include <memory>

#include "app/commands/commands.h"
#include "app/server/serve.h"
#include "app/settings/table.h"

extern char** environ;

namespace mayfly::app {
namespace {

struct ServeArguments {
  std::map<std::string, std::vector<std::string>> values;
  std::map<std::string, bool> switches;
};

std::vector<Settings::Pair> environment() {
  std::vector<Settings::Pair> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text(*entry);
    const auto equals = text.find('=');
    if (equals != std::string::npos) {
      all.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
  }
  return all;
}

int run_server(const ServeArguments& arguments) {
  Settings::Sources sources;
  sources.environment = environment();
  sources.other_variables = other_variables();
  for (const auto& [variable, text] : sources.environment) {
    if (variable == variable_of({.name = "config"})) sources.file = text;
  }
  for (const auto& [name, values] : arguments.values) {
    for (const std::string& value : values) {
      if (name == "config") sources.file = value;
      sources.flags.emplace_back(name, value);
    }
  }
  for (const auto& [name, is_on] : arguments.switches) {
    if (is_on) sources.flags.emplace_back(name, "true");
  }
  auto settings = Settings::resolve(settings_table(), sources);
  Result<void> done = settings ? serve(*settings, stdout) : tl::unexpected(settings.error());
  if (done) return 0;
  std::fprintf(stderr, "mayfly: %s\n", done.error().message.c_str());
  return done.error().code == Code::invalid ? 2 : 1;
}

}  // namespace

std::function<int()> add_serve(CLI::App& verb) {
  auto arguments = std::make_shared<ServeArguments>();
  for (const SettingRow& row : settings_table()) {
    const std::string name(row.name);
    const std::string help(row.help);
    if (row.kind == SettingKind::boolean) {
      verb.add_flag(flag_of(row), arguments->switches[name], help);
      continue;
    }
    CLI::Option* option = verb.add_option(flag_of(row), arguments->values[name], help);
    option->type_name(std::string(row.placeholder.empty() ? "TEXT" : row.placeholder));
    if (!row.initial.empty()) option->default_str(std::string(row.initial));
    option->expected(1);
    option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }
  return [arguments] { return run_server(*arguments); };
}

}  // namespace mayfly::app
