#include "store/rocks/directory.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "store/durable_files.h"

namespace mayfly::store {
namespace {

namespace fs = std::filesystem;

// The marker is written once RocksDB has been opened for the first time, and so has made its files.
// With it we know that a file which should be there was there.
constexpr const char* marker_name = "MAYFLY";
constexpr std::string_view marker_text = "mayfly data, format 1\n";
// What makes a directory a backup (backups.h): used, it would be one no longer.
constexpr const char* backup_name = "BACKUP";

Error unusable(const std::string& directory, const std::string& why) {
  return {Code::invalid, fmt::format("{} cannot hold the data: {}", directory, why), "data"};
}

Error missing(const std::string& directory, std::string_view file) {
  return {
      Code::corrupt,
      fmt::format(
          "the data in {} is damaged: {} is missing; restore the directory from a backup; it was "
          "not opened, so that nothing more is lost",
          directory, file)};
}

struct Contents {
  bool marker = false;
  bool backup = false;
  bool current = false;
  bool tables = false;
  bool logs = false;
};

Result<Contents> look_into(const std::string& directory) {
  Contents found;
  std::error_code error;
  for (fs::directory_iterator file(directory, error), end; !error && file != end;
       file.increment(error)) {
    const fs::path& path = file->path();
    found.marker |= path.filename() == marker_name;
    found.backup |= path.filename() == backup_name;
    found.current |= path.filename() == "CURRENT";
    found.tables |= path.extension() == ".sst";
    found.logs |= path.extension() == ".log";
  }
  if (error) return tl::unexpected(unusable(directory, error.message()));
  return found;
}

Result<void> check_format(const std::string& directory) {
  std::ifstream marker(fs::path(directory) / marker_name);
  const std::string text{std::istreambuf_iterator<char>(marker), {}};
  if (text == marker_text) return {};
  return tl::unexpected(unusable(
      directory, "its format is not known here; it may have been written by a newer version"));
}

}  // namespace

Result<void> prepare_directory(const std::string& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) return tl::unexpected(unusable(directory, error.message()));
  const Contents found = TRY(look_into(directory));
  if (found.backup) {
    return tl::unexpected(
        unusable(directory, "it is a backup; make a data directory of it with 'mayfly restore'"));
  }
  if (found.marker) TRY(check_format(directory));
  if ((found.marker || found.tables) && !found.current) {
    return tl::unexpected(missing(directory, "the file CURRENT"));
  }
  // RocksDB always leaves one, if an empty one.
  if (found.marker && !found.logs) {
    return tl::unexpected(missing(directory, "the log of the last writes (*.log)"));
  }
  return {};
}

Result<void> mark_directory(const std::string& directory) {
  const fs::path marker = fs::path(directory) / marker_name;
  std::error_code error;
  if (fs::exists(marker, error)) return {};
  // Under another name first: a marker is whole or not there.
  const std::string draft = marker.string() + ".new";
  if (write_durably(draft, marker_text) && std::rename(draft.c_str(), marker.c_str()) == 0 &&
      make_names_durable(directory)) {
    return {};
  }
  return tl::unexpected(unusable(directory, std::strerror(errno)));
}

}  // namespace mayfly::store
