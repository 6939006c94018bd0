#include "store/rocks/directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "base/kill_point.h"

namespace mayfly::store {
namespace {

namespace fs = std::filesystem;

// The marker is written once RocksDB has been opened for the first time, and so has made its files.
// With it we know that a file which should be there was there.
constexpr const char* marker_name = "MAYFLY";
constexpr std::string_view marker_text = "mayfly data, format 1\n";

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

// Writes the whole file and waits until it is on disk.
bool write_durably(const std::string& path, std::string_view text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return false;
  const ssize_t written = ::write(file, text.data(), text.size());
  const bool whole = written == static_cast<ssize_t>(text.size()) && ::fsync(file) == 0;
  return ::close(file) == 0 && whole;
}

bool make_names_durable(const std::string& directory) {
  const int file = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return false;
  const bool done = ::fsync(file) == 0;
  return ::close(file) == 0 && done;
}

}  // namespace

Result<void> prepare_directory(const std::string& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) return tl::unexpected(unusable(directory, error.message()));
  const Contents found = TRY(look_into(directory));
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
  bool done = write_durably(draft, marker_text);
  KILL_POINT("store.marking");
  done = done && std::rename(draft.c_str(), marker.c_str()) == 0 && make_names_durable(directory);
  KILL_POINT("store.marked");
  if (done) return {};
  return tl::unexpected(unusable(directory, std::strerror(errno)));
}

}  // namespace mayfly::store
