#include "store/rocks/directory.h"

#include <fmt/format.h>
#include <rocksdb/file_system.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/service/kill_point.h"

#include "store/durable_files.h"
#include "store/rocks/errors.h"

namespace mayfly::store {
namespace {

namespace fs = std::filesystem;

// The marker is written after RocksDB has been opened for the first time and has created its files.
// If it exists, a required file that is missing has been lost.
constexpr const char* marker_name = "MAYFLY";
constexpr std::string_view marker_text = "mayfly data, format 1\n";
constexpr std::string_view marker_start = "mayfly data, format ";
// Exists from the beginning of the first start until the marker is written: then the files in the
// directory are ours.
constexpr const char* begun_name = "MAYFLY.begun";
// Created by file systems in their root directory.
constexpr const char* found_name = "lost+found";
// Makes a directory a backup (backups.h); a backup in use would not be one any more.
constexpr const char* backup_name = "BACKUP";

Error unusable(const std::string& directory, const std::string& why) {
  return {Code::invalid, fmt::format("{} cannot hold the data: {}", directory, why), "data"};
}

// Why the directory cannot be listed, by the system's message. RocksDB reports "not found" for a
// directory that this user may not read.
std::string reason_of(const std::string& directory, const rocksdb::IOStatus& listed) {
  std::error_code error;
  const fs::directory_iterator entries(directory, error);
  return error ? error.message() : listed.ToString();
}

Error missing(const std::string& directory, std::string_view file, const std::string& advice) {
  return {
      Code::corrupt,
      fmt::format(
          "the data in {} is damaged: {} is missing; {}; it was not opened, so that nothing more "
          "is lost",
          directory, file, advice)};
}

struct Contents {
  bool marker = false;
  bool begun = false;
  bool others = false;  // any other file
  bool backup = false;
  bool current = false;
  bool tables = false;
  bool logs = false;
};

Result<Contents> list_contents(rocksdb::FileSystem& files, const std::string& directory) {
  Contents found;
  std::vector<std::string> names;
  const rocksdb::IOStatus listed = files.GetChildren(directory, {}, &names, nullptr);
  if (!listed.ok()) return tl::unexpected(unusable(directory, reason_of(directory, listed)));
  for (const std::string& name : names) {
    const std::string extension = fs::path(name).extension();
    found.marker |= name == marker_name;
    found.begun |= name.starts_with(begun_name);  // also while the file is being written
    found.others |= name != found_name && name != "." && name != "..";
    found.backup |= name == backup_name;
    found.current |= name == "CURRENT";
    found.tables |= extension == ".sst";
    found.logs |= extension == ".log";
  }
  return found;
}

Result<void> check_format(rocksdb::FileSystem& files, const std::string& directory) {
  std::string text;
  const std::string path = fs::path(directory) / marker_name;
  const rocksdb::IOStatus read = rocksdb::ReadFileToString(&files, path, &text);
  if (!read.ok()) return tl::unexpected(unusable(directory, read.ToString()));
  if (text == marker_text) return {};
  if (text.starts_with(marker_start) && text.ends_with('\n') && text.size() >= marker_text.size() &&
      text.find_first_not_of("0123456789", marker_start.size()) == text.size() - 1) {
    return tl::unexpected(unusable(
        directory, fmt::format("the file {} says '{}', which this version does not know: a newer "
                               "version wrote it, or it is damaged; restore it from a backup",
                               marker_name, text.substr(0, text.size() - 1))));
  }
  return tl::unexpected(Error{
      Code::corrupt,
      fmt::format("the file {} is damaged; run 'mayfly repair --data {}', or write '{}' and a line "
                  "feed into it, which only marks the directory as Mayfly's, or restore a backup",
                  path, directory, marker_text.substr(0, marker_text.size() - 1))});
}

// Only after its directory is synced, a new or renamed file certainly survives a loss of power.
rocksdb::IOStatus sync_names(rocksdb::FileSystem& files, const std::string& directory) {
  std::unique_ptr<rocksdb::FSDirectory> opened;
  rocksdb::IOStatus status = files.NewDirectory(directory, {}, &opened, nullptr);
  if (status.ok()) status = opened->Fsync({}, nullptr);
  return status;
}

// Creates the directory and its missing parents, so that they survive a loss of power.
Result<void> make_directory(rocksdb::FileSystem& files, const fs::path& directory) {
  std::error_code error;
  if (fs::is_directory(directory, error)) return {};
  const fs::path above = directory.parent_path();
  if (!above.empty() && above != directory) TRY(make_directory(files, above));
  fs::create_directory(directory, error);
  if (error) return tl::unexpected(unusable(directory, error.message()));
  const auto durable = sync_names(files, above.empty() ? "." : above.string());
  if (!durable.ok()) return tl::unexpected(unusable(directory, durable.ToString()));
  return {};
}

}  // namespace

Result<void> prepare_directory(rocksdb::FileSystem& files, const std::string& directory) {
  TRY(make_directory(files, directory));
  const Contents found = TRY(list_contents(files, directory));
  if (found.backup) {
    return tl::unexpected(unusable(
        directory, "it is a backup; create a data directory from it with 'mayfly restore'"));
  }
  if (found.marker) TRY(check_format(files, directory));
  if (!found.marker && !found.begun && found.others) {
    return tl::unexpected(
        unusable(directory,
                 "it holds other files and no file MAYFLY, so it is no data directory; choose "
                 "an empty or new directory. If the file was lost, restore a backup or run "
                 "'mayfly repair'"));
  }
  if (!found.marker && !found.begun) {
    TRY(write_durably(files, directory, fs::path(directory) / begun_name, "the first start\n"));
  }
  if ((found.marker || found.tables) && !found.current) {
    return tl::unexpected(missing(directory, "the file CURRENT", advice_of_repair(directory)));
  }
  // RocksDB always leaves a log, even if it is empty.
  if (found.marker && !found.logs) {
    return tl::unexpected(
        missing(directory, "the log of the last writes (*.log)", advice_of_repair(directory)));
  }
  return {};
}

// The newest manifest, the file that lists the tables; empty if there is none.
std::string newest_manifest(const std::vector<std::string>& names) {
  constexpr std::string_view prefix = "MANIFEST-";
  std::string newest;
  for (const std::string& name : names) {
    // Numbers have leading zeros up to six digits, so a longer name is a greater number.
    const bool is_newer = std::pair(name.size(), name) > std::pair(newest.size(), newest);
    if (name.starts_with(prefix) && is_newer) newest = name;
  }
  return newest;
}

Result<Replaceable> find_replaceable(rocksdb::FileSystem& files, const std::string& directory) {
  std::error_code error;
  if (!fs::is_directory(directory, error)) {
    return fail(Code::invalid, directory + ": there is no such directory", "data");
  }
  const Contents found = TRY(list_contents(files, directory));
  if (found.backup) {
    return tl::unexpected(unusable(
        directory, "it is a backup; create a data directory from it with 'mayfly restore'"));
  }
  std::vector<std::string> names;
  files.GetChildren(directory, {}, &names, nullptr).PermitUncheckedError();
  const std::string manifest = newest_manifest(names);
  if (!found.marker && !found.tables && manifest.empty()) {
    return tl::unexpected(unusable(directory, "there are no data in it"));
  }
  Replaceable lost{.marker = !found.marker, .logs = !found.logs};
  if (found.marker) {
    const auto checked = check_format(files, directory);
    if (!checked && checked.error().code != Code::corrupt) return tl::unexpected(checked.error());
    lost.marker = !checked;
  }
  std::string contents;
  if (found.current) {
    rocksdb::ReadFileToString(&files, fs::path(directory) / "CURRENT", &contents)
        .PermitUncheckedError();
  }
  const bool is_named =
      contents.ends_with('\n') &&
      std::count(names.begin(), names.end(), contents.substr(0, contents.size() - 1)) > 0;
  if (is_named) return lost;
  if (manifest.empty())
    return tl::unexpected(missing(directory, "the list of tables (MANIFEST-*)",
                                  "restore the directory from a backup"));
  lost.current = manifest + "\n";
  return lost;
}

Result<void> replace(rocksdb::FileSystem& files, const std::string& directory,
                     const Replaceable& lost) {
  const fs::path path = directory;
  if (lost.marker)
    TRY(write_durably(files, directory, path / marker_name, std::string(marker_text)));
  if (!lost.current.empty()) TRY(write_durably(files, directory, path / "CURRENT", lost.current));
  return {};
}

DirectoryLock::~DirectoryLock() {
  if (lock_ != nullptr) files_.UnlockFile(lock_, {}, nullptr).PermitUncheckedError();
}

rocksdb::Status DirectoryLock::take(const std::string& directory) {
  return files_.LockFile(directory + "/LOCK", {}, &lock_, nullptr);
}

Result<void> write_durably(rocksdb::FileSystem& files, const std::string& directory,
                           const std::string& path, const std::string& text) {
  // Writes another name first.
  const std::string draft = path + ".new";
  rocksdb::IOStatus status = rocksdb::WriteStringToFile(&files, text, draft, true);
  KILL_POINT("store.marking");
  if (status.ok()) status = files.RenameFile(draft, path, {}, nullptr);
  if (status.ok()) status = sync_names(files, directory);
  KILL_POINT("store.marked");
  if (status.ok()) return {};
  return tl::unexpected(unusable(directory, status.ToString()));
}

Result<void> make_names_durable(rocksdb::FileSystem& files, const std::string& directory) {
  const rocksdb::IOStatus status = sync_names(files, directory);
  if (status.ok()) return {};
  return tl::unexpected(unusable(directory, status.ToString()));
}

Result<void> write_marker(rocksdb::FileSystem& files, const std::string& directory) {
  const std::string marker = fs::path(directory) / marker_name;
  if (!files.FileExists(marker, {}, nullptr).ok()) {
    TRY(write_durably(files, directory, marker, std::string(marker_text)));
  }
  // Beside the marker it has no meaning, so it does not matter if it cannot be removed.
  files.DeleteFile(fs::path(directory) / begun_name, {}, nullptr).PermitUncheckedError();
  return {};
}

Result<std::vector<std::uint64_t>> logs_with_contents(rocksdb::FileSystem& files,
                                                      const std::string& directory) {
  std::vector<std::string> names;
  const rocksdb::IOStatus listed = files.GetChildren(directory, {}, &names, nullptr);
  if (!listed.ok()) return tl::unexpected(unusable(directory, listed.ToString()));
  std::vector<std::uint64_t> numbers;
  for (const std::string& name : names) {
    if (fs::path(name).extension() != ".log") continue;
    std::uint64_t size = 0;
    const auto sized = files.GetFileSize(fs::path(directory) / name, {}, &size, nullptr);
    if (!sized.ok()) return tl::unexpected(unusable(directory, sized.ToString()));
    if (size > 0) numbers.push_back(std::strtoull(name.c_str(), nullptr, 10));
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::string log_path(const std::string& directory, std::uint64_t number) {
  return fmt::format("{}/{:06}.log", directory, number);
}

}  // namespace mayfly::store
