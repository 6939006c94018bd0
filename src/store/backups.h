// Backups: copies of a store, each in its own directory below a common one.
//
//   DIRECTORY/NAME/BACKUP      says that the backup is complete and which files belong to it
//   DIRECTORY/NAME/...         a data directory, as the engine left it
//   DIRECTORY/.NAME.partial    an unfinished one; the next backup of that name removes it
//
//   BACKUP   := "mayfly backup 1\n" "version " digits "\n" file* "check " sha256 "\n"
//   file     := "file " size " " name "\n"
//   sha256   := 64 hexadecimal digits, over everything before "check"
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/store.h"

namespace mayfly::store {

struct BackupInfo {
  std::string name;
  Version version = 0;  // of the newest commit in it
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
};

// Allows letters, digits, '-', '_' and '.', the last not first, so that no name leads to another
// directory. Fails with invalid; `field` is "name".
Result<void> check_backup_name(const std::string& name);

// Creates DIRECTORY if it is missing. The caller must run at most one at a time for each directory.
// On disk when it returns. Fails with exists (`field` is "name"), with internal or no_space if a
// file cannot be written, and as check_backup_name() and Store::backup().
Result<BackupInfo> make_backup(Store& store, const std::string& directory, const std::string& name);

// The complete backups, by name. Empty if DIRECTORY is missing.
Result<std::vector<BackupInfo>> list_backups(const std::string& directory);

// Removes a complete backup. An interrupted removal leaves no backup. Fails with not_found (`field`
// is "name"), and as check_backup_name().
Result<void> remove_backup(const std::string& directory, const std::string& name);

// Checks the names and sizes of the files of one backup, not their contents. Fails with invalid if
// the directory is no backup or is incomplete, with corrupt if one of its files is missing or has
// another size.
Result<BackupInfo> verify_backup(const std::string& backup);

// Creates the data directory `data` from a backup. It must be missing or empty. Tables, which never
// change, are linked if they are on the same file system; all other files are copied. When it
// returns, everything is on disk. If it is interrupted, open() refuses the directory, unless it is
// still empty. Fails as verify_backup(), with exists if `data` is not empty, with invalid if it
// cannot be created, and with internal or no_space if a file cannot be copied.
Result<BackupInfo> restore_backup(const std::string& backup, const std::string& data);

}  // namespace mayfly::store
