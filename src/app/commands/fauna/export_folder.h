// ExportFolder: the files of an export while it is written. None gets its name before all of them
// are whole and on disk; unless finish() has given them, what was written is removed.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"

namespace mayfly::app {

// Of a file that has not got its name; no import reads it.
inline constexpr const char* unfinished_ending = ".partial";

// Where a file of the schema lies below schema/: its name, unless that leads elsewhere, or is one
// that an import does not look at.
std::string schema_file_name(const std::string& name);

class ExportFolder {
 public:
  // Fails with invalid where something is there that is no empty folder. Makes nothing.
  static Result<void> check(const std::string& path);

  explicit ExportFolder(std::string path) : path_(std::move(path)) {}
  ~ExportFolder();
  ExportFolder(const ExportFolder&) = delete;
  ExportFolder& operator=(const ExportFolder&) = delete;

  // All fail with internal. One file at a time; `name` is a path from the folder on.
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
  std::vector<std::filesystem::path> files_;    // by the names that they get
  std::vector<std::filesystem::path> folders_;  // that were made, outer ones first
  bool is_finished_ = false;
};

}  // namespace mayfly::app
