// The data directory: whether it is one, whether it is ours, and whether files are missing that
// RocksDB would not miss.
#pragma once

#include <string>

#include "base/result.h"

namespace mayfly::store {

// Makes the directory if it is missing and looks at what lies in it, before RocksDB does. Fails
// with invalid where it cannot be used, and with corrupt where RocksDB would quietly begin anew
// beside what it no longer finds.
Result<void> prepare_directory(const std::string& directory);

// Marks the directory as ours, once RocksDB has been opened in it. Does nothing where it is marked
// already.
Result<void> mark_directory(const std::string& directory);

}  // namespace mayfly::store
