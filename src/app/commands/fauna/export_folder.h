// ExportFolder: the files of an export while it is written. They get their final names in finish(),
// once all of them are complete and on disk. Without finish() they are removed.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"

namespace mayfly::app {

// The ending of a file without its final name; imports skip such files.
inline constexpr const char* unfinished_ending = ".partial";

// The path of a schema file below schema/: its name, or an escaped one if the name would lead
// elsewhere or an import would skip it.
std::string schema_file_name(const std::string& name);

class ExportFolder {
 public:
  // Fails with invalid if the path exists and is not an empty folder. Creates nothing.
  static Result<void> check(const std::string& path);

  explicit ExportFolder(std::string path) : path_(std::move(path)) {}
  ~ExportFolder();
  ExportFolder(const ExportFolder&) = delete;
  ExportFolder& operator=(const ExportFolder&) = delete;

  // All fail with internal. One file at a time; `name` is a path relative to the folder.
  Result<void> open(const std::string& name);
  Result<void> write(const std::string& text);
  Result<void> close();
  Result<void> finish();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  Result<void> make_folder(const std::filesystem::path& folder);

  const std::filesystem::path path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::vector<std::filesystem::path> files_;    // final names
  std::vector<std::filesystem::path> folders_;  // folders that were created, outer ones first
  bool is_finished_ = false;
};

}  // namespace mayfly::app
