// `mayfly import --fauna`: reads a database from the files of an export of the Fauna service.
#pragma once

#include <string>
#include <vector>

#include "app/commands/remote.h"

namespace mayfly::app {

struct FaunaImport {
  std::vector<std::string> files = {};  // folders, or single files
  Remote remote;                        // of the Fauna API; its key is the secret
  std::string database = {};  // path below the secret's database, such as `app` or `app/staging`;
                              // empty: the secret's
  std::string ts_field = {};
  bool goes_on = false;  // skip documents that cannot be written
};

// Prints a summary; gives the exit status.
int import_from_fauna(const FaunaImport& arguments);

}  // namespace mayfly::app
