#include "store/rocks/repair/mark.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "store/durable_files.h"
#include "store/rocks/directory.h"

namespace mayfly::store {
namespace {

namespace fs = std::filesystem;

fs::path marker_path(const std::string& directory) {
  return fs::path(directory) / repair_marker_name;
}

}  // namespace

Result<void> write_repair_marker(rocksdb::FileSystem& files, const std::string& directory,
                                 const std::string& copy) {
  return write_durably(files, directory, marker_path(directory), copy + "\n");
}

Result<void> remove_repair_marker(const std::string& directory) {
  std::error_code error;
  fs::remove(marker_path(directory), error);
  if (!error && make_names_durable(directory)) return {};
  return fail(Code::internal, "removing " + marker_path(directory).string());
}

Result<void> check_no_repair(const std::string& directory) {
  std::error_code error;
  if (!fs::exists(marker_path(directory), error)) return {};
  return fail(Code::corrupt,
              fmt::format("the repair of {0} was interrupted; run 'mayfly repair --data {0} "
                          "--accept-loss' again; it was not opened",
                          directory));
}

Result<std::string> copy_of_interrupted(const std::string& directory) {
  std::error_code error;
  if (!fs::exists(marker_path(directory), error)) return "";
  std::string copy;
  std::getline(std::ifstream(marker_path(directory)), copy);
  const bool is_name = !copy.empty() && copy[0] != '.' && copy.find('/') == copy.npos;
  if (is_name && fs::is_directory(fs::path(directory) / copy, error)) return copy;
  return fail(Code::corrupt,
              fmt::format("the repair of {} was interrupted, and the copy '{}' that it had made "
                          "there is gone; restore the directory from a backup",
                          directory, copy));
}

}  // namespace mayfly::store
