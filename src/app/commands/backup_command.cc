// `mayfly backup`: has a server make one.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <memory>

#include "app/commands/commands.h"
#include "app/commands/remote.h"
#include "value/json.h"

namespace mayfly::app {
namespace {

// A backup waits for a flush of what is in memory, and copies what it cannot link.
constexpr Span backup_time_max = Span::seconds(3'600);

struct BackupArguments {
  Remote remote;
  std::string name;
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

}  // namespace

std::function<int()> add_backup(CLI::App& verb) {
  auto given = std::make_shared<BackupArguments>();
  add_remote(verb, given->remote);
  verb.add_option("NAME", given->name, "What the backup is to be called.")->required();
  return [given] {
    const auto made = make(*given);
    if (!made) return tell(made.error());
    std::printf("%s\n", made->c_str());
    return 0;
  };
}

}  // namespace mayfly::app
