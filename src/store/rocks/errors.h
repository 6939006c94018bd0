// What RocksDB says went wrong, in our words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace rocksdb {
class Status;
}

namespace mayfly::store {

// `doing` is what was being done. Never called with a status that is ok.
Error error_of(const rocksdb::Status& status, std::string_view doing);
// The same while the directory is opened. `log_lines` is what RocksDB complained of meanwhile: only
// there does it name the damaged file.
Error open_error_of(const rocksdb::Status& status, const std::string& directory,
                    const std::string& log_lines);
// The same while a repair looks at the directory: only a backup helps then.
Error repair_error_of(const rocksdb::Status& status, const std::string& directory,
                      const std::string& log_lines);
// What helps a directory that is refused: what costs least comes first.
std::string advice_of_repair(const std::string& directory);
// The log of writes ends at `there`, and commits up to `promised` had been told to be durable.
// `log` is the file that is broken, cut short or gone.
Error log_error(const std::string& directory, const std::string& log, std::uint64_t there,
                std::uint64_t promised, const std::string& log_lines);
// Bytes that passed their checksum and still are not what we write.
Error malformed_row();

// Prints why and stops the program: what was written is not known to be durable, and asking the
// disk again could answer that all is well when it is not.
[[noreturn]] void stop_unsynced(const rocksdb::Status& status);

}  // namespace mayfly::store
