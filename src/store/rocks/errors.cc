#include "store/rocks/errors.h"

#include <fmt/format.h>
#include <rocksdb/status.h>

#include <cstdio>
#include <cstdlib>

namespace mayfly::store {
namespace {

Code code_of(const rocksdb::Status& status) {
  if (status.IsCorruption()) return Code::corrupt;
  if (status.IsNoSpace()) return Code::no_space;
  return Code::internal;
}

}  // namespace

Error error_of(const rocksdb::Status& status, std::string_view doing) {
  std::string message = fmt::format("{}: {}", doing, status.ToString());
  const Code code = code_of(status);
  if (code == Code::corrupt) {
    message +=
        "; the file named is damaged, so restore the data directory from a backup (rows in other "
        "files can "
        "still be read)";
  }
  return {code, std::move(message)};
}

Error open_error_of(const rocksdb::Status& status, const std::string& directory,
                    const std::string& log_lines) {
  const std::string said = status.ToString();
  // The directory itself is there, so a path that is not found is a file that has been lost.
  if (status.IsCorruption() || status.IsPathNotFound()) {
    return {Code::corrupt,
            fmt::format("the data in {} is damaged: {}\n{}restore the directory from a backup; "
                        "it was not opened, so that nothing more is lost",
                        directory, said, log_lines)};
  }
  if (status.IsIOError() && said.find("LOCK") != std::string::npos) {
    return {Code::internal, fmt::format("{} is in use by another process ({})", directory, said)};
  }
  if (status.IsNoSpace()) return {Code::no_space, fmt::format("opening {}: {}", directory, said)};
  return {Code::invalid, fmt::format("{} cannot be opened: {}", directory, said)};
}

Error log_error(const std::string& directory, const std::string& log, std::uint64_t there,
                std::uint64_t promised, const std::string& log_lines) {
  return {Code::corrupt,
          fmt::format("the data in {} is damaged: the log of the last writes is broken, cut short "
                      "or missing at {}: it leads to commit {}, and commit {} had been "
                      "acknowledged\n{}restore the directory from a backup",
                      directory, log, there, promised, log_lines)};
}

Error malformed_row() {
  return {
      Code::corrupt,
      "a stored row is too short to hold its version; restore the data directory from a backup"};
}

void stop_unsynced(const rocksdb::Status& status) {
  std::fprintf(stderr, "writing to disk failed, so nothing can be promised any more: %s\n",
               status.ToString().c_str());
  std::abort();
}

}  // namespace mayfly::store
