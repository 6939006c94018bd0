// `mayfly restore`: creates a data directory from a backup, without a server.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <memory>

#include "app/commands/commands.h"
#include "app/commands/remote.h"
#include "app/server/data.h"
#include "db/rows/records.h"
#include "store/backups.h"
#include "value/rfc3339.h"

namespace mayfly::app {
namespace {

struct RestoreArguments {
  std::string backup;
  std::string data;
};

}  // namespace

std::function<int()> add_restore(CLI::App& verb) {
  auto arguments = std::make_shared<RestoreArguments>();
  verb.add_option("BACKUP_DIR", arguments->backup, "The directory of the backup.")->required();
  verb.add_option("--data", arguments->data,
                  "The data directory to create. It must be missing or "
                  "empty.")
      ->type_name("DIR")
      ->required();
  return [arguments] {
    keep_files_private();
    const auto restored = store::restore_backup(arguments->backup, arguments->data);
    if (!restored) return print_error(restored.error());
    const std::string instant = render_rfc3339(records::to_instant(restored->version));
    std::printf("%s: the state of %s, %llu bytes in %llu files\n", arguments->data.c_str(),
                instant.c_str(), static_cast<unsigned long long>(restored->bytes),
                static_cast<unsigned long long>(restored->files));
    return 0;
  };
}

}  // namespace mayfly::app
