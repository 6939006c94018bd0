// `mayfly import --fauna`: a database from the files that the service's own exports are.
#pragma once

#include <string>
#include <vector>

#include "app/commands/remote.h"

namespace mayfly::app {

struct FaunaImport {
  std::vector<std::string> files = {};  // folders, or single files
  Remote remote;                        // of the Fauna API; its key is the secret
  std::string database = {};  // from the secret's on: `app` or `app/staging`; empty: the secret's
  std::string ts_field = {};
  bool goes_on = false;  // skips what cannot be written
};

// Prints what has been done; gives the exit status.
int import_from_fauna(const FaunaImport& given);

}  // namespace mayfly::app
