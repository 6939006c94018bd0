// `mayfly export --fauna`: a database of the Fauna API as files that `mayfly import --fauna` takes.
#pragma once

#include <string>

#include "app/commands/remote.h"

namespace mayfly::app {

struct FaunaExport {
  std::string folder = {};    // that the files are written to
  Remote remote;              // of the Fauna API; its key is the secret
  std::string database = {};  // from the secret's on: `app` or `app/staging`; empty: the secret's
};

// Prints what has been done; gives the exit status.
int export_from_fauna(const FaunaExport& given);

}  // namespace mayfly::app
