// `mayfly status`: what a server says of itself, a line each.
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

// What is asked, and which members of the answer are shown, in their order.
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
    const Value answer = TRY(ask(remote, {.path = row.path}));
    out += std::string(row.title) + ":";
    for (const char* member : row.members) {
      out += std::string(" ") + member + "=" + status_text(answer.member(member));
    }
    out += "\n";
  }
  const Value databases = TRY(ask(remote, {.path = "/v1/databases"})).member("databases");
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
    const auto told = describe_server(*remote);
    if (!told) return tell(told.error());
    std::fputs(told->c_str(), stdout);
    return 0;
  };
}

}  // namespace mayfly::app
