// Backups: copies of a store, each in a directory of its own under one that holds them all.
//
//   DIRECTORY/NAME/BACKUP      says that the backup is whole and what belongs to it
//   DIRECTORY/NAME/...         a data directory, as the engine left it
//   DIRECTORY/.NAME.partial    one that was not finished; the next of that name clears it away
//
//   BACKUP   := "mayfly backup 1\n" "version " digits "\n" file* "check " sha256 "\n"
//   file     := "file " size " " name "\n"
//   sha256   := 64 hexadecimal digits, over all that stands before "check"
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

// Letters, digits, '-', '_' and '.', not first: nothing that leads elsewhere. Fails with invalid,
// `field` is "name".
Result<void> check_backup_name(const std::string& name);

// Makes DIRECTORY where it is missing. One at a time for one directory: the caller sees to that.
// Fails with exists (`field` is "name"), and as check_backup_name() and Store::backup().
Result<BackupInfo> make_backup(Store& store, const std::string& directory, const std::string& name);

// The whole ones, by name. Where DIRECTORY is missing there are none.
Result<std::vector<BackupInfo>> list_backups(const std::string& directory);

// Removes a whole one; what is broken off of it is no backup any more. Fails with not_found
// (`field` is "name"), and as check_backup_name().
Result<void> remove_backup(const std::string& directory, const std::string& name);

// What lies in one backup's own directory. Fails with invalid where it is none or is not whole,
// corrupt where a file of it is missing or has another size.
Result<BackupInfo> verify_backup(const std::string& backup);

// Makes the data directory `data` of a backup. It must be missing or empty. Tables, which never
// change, are linked where the disk is the same; the rest is copied. When it returns all is on
// disk; broken off, it leaves a directory that open() refuses. Fails as verify_backup(), and with
// exists where `data` holds anything.
Result<BackupInfo> restore_backup(const std::string& backup, const std::string& data);

}  // namespace mayfly::store
