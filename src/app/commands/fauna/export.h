// `mayfly export --fauna`: writes a database of the Fauna API to files that `mayfly import --fauna`
// reads.
#pragma once

#include <string>

#include "app/commands/remote.h"

namespace mayfly::app {

struct FaunaExport {
  std::string folder = {};    // the destination of the files
  Remote remote;              // of the Fauna API; its key is the secret
  std::string database = {};  // path below the secret's database, such as `app` or `app/staging`;
                              // empty: the secret's
};

// Prints a summary; gives the exit status.
int export_from_fauna(const FaunaExport& arguments);

}  // namespace mayfly::app
