// `mayfly status`: prints the state of a server, one fact a line.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <memory>

#include "app/commands/commands.h"
#include "app/commands/remote.h"
#include "value/json/json.h"

namespace mayfly::app {
namespace {

// A request, and the members of its answer that are printed, in order.
struct StatusRow {
  const char* path;
  const char* title;
  std::vector<const char*> members;
};
const StatusRow status_rows[] = {
    {"/v1", "server", {"name", "version", "clock", "now"}},
    {"/v1/sweeper", "sweeper", {"paused", "next_due", "overdue_collections", "expired"}},
};

std::string status_text(const Value& value) {
  return value.is(Kind::text) ? value.text() : render_json(value);
}

Result<std::string> describe_server(const Remote& remote) {
  std::string out;
  for (const StatusRow& row : status_rows) {
    const Value answer = TRY(call_api(remote, {.path = row.path}));
    out += std::string(row.title) + ":";
    for (const char* member : row.members) {
      out += std::string(" ") + member + "=" + status_text(answer.member(member));
    }
    out += "\n";
  }
  const Value databases = TRY(call_api(remote, {.path = "/v1/databases"})).member("databases");
  if (!databases.is(Kind::array)) return fail(Code::internal, "that is not a Mayfly server");
  for (const Value& database : databases.array()) {
    out += "database " + status_text(database.member("name")) +
           ": collections=" + status_text(database.member("collections")) + "\n";
  }
  return out;
}

}  // namespace

std::function<int()> add_status(CLI::App& verb) {
  auto remote = std::make_shared<Remote>();
  add_remote(verb, *remote);
  return [remote] {
    const auto text = describe_server(*remote);
    if (!text) return print_error(text.error());
    std::fputs(text->c_str(), stdout);
    return 0;
  };
}

}  // namespace mayfly::app
