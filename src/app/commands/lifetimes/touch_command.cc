// `mayfly touch`: moves the end of documents forward.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <memory>

#include "app/commands/commands.h"
#include "app/commands/lifetimes/new_end.h"

namespace mayfly::app {

std::function<int()> add_touch(CLI::App& verb) {
  auto arguments = std::make_shared<NewEnd>();
  add_new_end(verb, *arguments);
  return [arguments] { return request_new_end(*arguments, "documents", "touch"); };
}

}  // namespace mayfly::app
