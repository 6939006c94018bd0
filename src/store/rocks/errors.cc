#include "store/rocks/errors.h"

#include <fmt/format.h>
#include <rocksdb/options.h>
#include <rocksdb/sst_file_reader.h>
#include <rocksdb/status.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace mayfly::store {
namespace {

Code code_of(const rocksdb::Status& status) {
  if (status.IsCorruption()) return Code::corrupt;
  if (status.IsNoSpace()) return Code::no_space;
  return Code::internal;
}

// RocksDB last tries a table under an older name, and reports that one as missing.
std::string with_our_names(std::string text) {
  constexpr std::string_view older = ".ldb";
  for (std::size_t at = 0; (at = text.find(older, at)) != text.npos;) text.replace(at, 4, ".sst");
  return text;
}

// The text with only the last parts of its paths: clients see it, and the location of the data
// concerns only the operator.
std::string without_directories(const std::string& text) {
  std::string short_text;
  for (std::size_t at = 0; at < text.size();) {
    const bool begins_path = text[at] == '/' && (at == 0 || text[at - 1] == ' ');
    if (!begins_path) {
      short_text += text[at++];
      continue;
    }
    const std::size_t end = std::min(text.find_first_of(" :,;\n", at), text.size());
    const std::string_view path(text.data() + at, end - at);
    short_text += path.substr(path.rfind('/') + 1);
    at = end;
  }
  return short_text;
}

// The system's messages for a file that is locked by another process or by this one.
bool is_locked(const std::string& message) {
  return message.find("LOCK: Resource temporarily unavailable") != message.npos ||
         message.find("lock hold by current process") != message.npos;
}

// The files that list the others. If one of them is damaged, RocksDB reports the listed files as
// missing.
std::string listing_files(const std::string& directory, const std::string& message) {
  std::string manifest;
  std::getline(std::ifstream(directory + "/CURRENT"), manifest);
  constexpr std::size_t name_bytes_max = 32;
  std::string names = "CURRENT";
  if (manifest.starts_with("MANIFEST-") && manifest.size() < name_bytes_max)
    names += ", " + manifest;
  constexpr std::string_view missing_log = "log number: ";
  if (const std::size_t at = message.find(missing_log); at != message.npos) {
    const auto number = std::strtoull(message.c_str() + at + missing_log.size(), nullptr, 10);
    names += fmt::format(", {:06}.log", number);
  }
  return names;
}

// The unreadable tables, if RocksDB does not name them.
std::string damaged_tables(const std::string& directory) {
  std::string names;
  std::error_code error;
  for (std::filesystem::directory_iterator file(directory, error), end; !error && file != end;
       file.increment(error)) {
    if (file->path().extension() != ".sst") continue;
    rocksdb::SstFileReader reader{rocksdb::Options()};
    rocksdb::Status status = reader.Open(file->path().string());
    if (status.ok()) status = reader.VerifyChecksum();
    if (!status.ok()) names += fmt::format("{} is damaged\n", file->path().string());
  }
  return names;
}

}  // namespace

Error error_of(const rocksdb::Status& status, std::string_view doing) {
  std::string message =
      fmt::format("{}: {}", doing, without_directories(with_our_names(status.ToString())));
  const Code code = code_of(status);
  if (code == Code::corrupt) {
    message +=
        "; the file named is damaged, so restore the data directory from a backup (rows in other "
        "files can "
        "still be read)";
  }
  return {code, std::move(message)};
}

namespace {

Error error_of_opening(const rocksdb::Status& status, const std::string& directory,
                       const std::string& log_lines, const std::string& advice) {
  const std::string message = with_our_names(status.ToString());
  // The directory itself exists, so a path that is not found is a lost file.
  if (status.IsCorruption() || status.IsPathNotFound()) {
    return {
        Code::corrupt,
        fmt::format("the data in {} is damaged: {}\n{}{}the file named is damaged or gone, or one "
                    "that says which files there are ({}); {}; it was not opened, so that "
                    "nothing more is lost",
                    directory, message, with_our_names(log_lines), damaged_tables(directory),
                    listing_files(directory, message), advice)};
  }
  if (status.IsIOError() && is_locked(message)) {
    return {Code::internal,
            fmt::format("{} is in use by another process ({})", directory, message)};
  }
  if (status.IsNoSpace())
    return {Code::no_space, fmt::format("opening {}: {}", directory, message)};
  return {Code::invalid, fmt::format("{} cannot be opened: {}", directory, message)};
}

}  // namespace

std::string advice_of_repair(const std::string& directory) {
  return fmt::format("see what 'mayfly repair --data {}' says, or restore a backup", directory);
}

Error open_error_of(const rocksdb::Status& status, const std::string& directory,
                    const std::string& log_lines) {
  return error_of_opening(status, directory, log_lines, advice_of_repair(directory));
}

Error repair_error_of(const rocksdb::Status& status, const std::string& directory,
                      const std::string& log_lines) {
  return error_of_opening(status, directory, log_lines, "restore the directory from a backup");
}

Error log_error(const std::string& directory, const std::string& log, std::uint64_t log_end,
                std::uint64_t acknowledged, const std::string& log_lines) {
  return {Code::corrupt,
          fmt::format("the data in {} is damaged: the log of the last writes is broken or "
                      "cut short at {}, or a later one (*.log) is missing: it leads to commit {}, "
                      "and commit {} had been acknowledged\n{}restore the directory from a backup, "
                      "or see what 'mayfly repair' says",
                      directory, log, log_end, acknowledged, log_lines)};
}

Error malformed_row() {
  return {
      Code::corrupt,
      "a stored row is too short to hold its version; restore the data directory from a backup"};
}

void stop_unsynced(const rocksdb::Status& status) {
  std::fprintf(stderr, "writing to disk failed, so no write can be acknowledged any more: %s\n",
               status.ToString().c_str());
  std::abort();
}

}  // namespace mayfly::store
