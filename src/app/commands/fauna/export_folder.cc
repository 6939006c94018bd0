#include "app/commands/fauna/export_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "net/url/percent.h"

namespace mayfly::app {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> cannot_write(const fs::path& path, int why) {
  return fail(Code::internal, "writing " + path.string() + ": " + std::strerror(why));
}

fs::path draft_of(fs::path path) {
  path += unfinished_ending;
  return path;
}

Result<void> sync_folder(const fs::path& path) {
  const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return cannot_write(path, errno);
  const int done = ::fsync(folder);
  const int why = errno;
  ::close(folder);
  return done == 0 ? Result<void>() : cannot_write(path, why);
}

bool is_plain_segment(std::string_view segment) {
  return !segment.empty() && !segment.starts_with('.') &&
         std::none_of(segment.begin(), segment.end(),
                      [](char c) { return (c >= 0 && c < ' ') || c == '\x7f' || c == '"'; });
}

}  // namespace

std::string schema_file_name(const std::string& name) {
  bool is_plain = true;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find('/', at), name.size());
    is_plain = is_plain && is_plain_segment(std::string_view(name).substr(at, end - at));
    at = end + 1;
  }
  constexpr std::string_view ending = ".fsl";
  if (is_plain) return name;
  const std::string stem =
      name.ends_with(ending) ? name.substr(0, name.size() - ending.size()) : name;
  return "file-" + net::encode_percent(stem).append(ending);
}

Result<void> ExportFolder::check(const std::string& path) {
  if (path.empty()) return fail(Code::invalid, "an export needs the name of a folder");
  std::error_code wrong;
  const fs::file_status there = fs::status(path, wrong);
  if (there.type() == fs::file_type::not_found) return {};
  if (wrong) return fail(Code::invalid, "reading " + path + ": " + wrong.message());
  if (there.type() != fs::file_type::directory) {
    return fail(Code::invalid,
                path + " is no folder: an export is written to an empty or a new one");
  }
  const bool is_empty = fs::is_empty(path, wrong);
  if (wrong) return fail(Code::invalid, "reading " + path + ": " + wrong.message());
  if (is_empty) return {};
  return fail(Code::invalid,
              path + " is not empty: an export is written to an empty or a new folder");
}

ExportFolder::~ExportFolder() {
  file_.reset();
  if (is_finished_) return;
  std::error_code ignored;
  for (const fs::path& file : files_) {
    fs::remove(draft_of(file), ignored);
    fs::remove(file, ignored);
  }
  for (auto folder = folders_.rbegin(); folder != folders_.rend(); ++folder) {
    fs::remove(*folder, ignored);
  }
}

// Creates the folder and its parents.
Result<void> ExportFolder::make_folder(const fs::path& folder) {
  std::error_code wrong;
  if (folder.empty() || fs::is_directory(folder, wrong)) return {};
  TRY(make_folder(folder.parent_path()));
  const bool is_made = fs::create_directory(folder, wrong);
  if (wrong) return cannot_write(folder, wrong.value());
  if (is_made) folders_.push_back(folder);
  return {};
}

Result<void> ExportFolder::open(const std::string& name) {
  const fs::path path = path_ / name;
  TRY(make_folder(path.parent_path()));
  const fs::path draft = draft_of(path);
  file_.reset(std::fopen(draft.c_str(), "wxe"));
  if (!file_) return cannot_write(draft, errno);
  files_.push_back(path);
  return {};
}

Result<void> ExportFolder::write(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) == text.size()) return {};
  return cannot_write(draft_of(files_.back()), errno);
}

Result<void> ExportFolder::close() {
  if (std::fflush(file_.get()) != 0 || ::fsync(::fileno(file_.get())) != 0) {
    return cannot_write(draft_of(files_.back()), errno);
  }
  file_.reset();
  return {};
}

Result<void> ExportFolder::finish() {
  TRY(make_folder(path_));
  for (const fs::path& file : files_) {
    if (std::rename(draft_of(file).c_str(), file.c_str()) != 0) return cannot_write(file, errno);
  }
  for (const fs::path& folder : folders_) TRY(sync_folder(folder));
  TRY(sync_folder(path_));
  if (!folders_.empty()) TRY(sync_folder(fs::absolute(folders_.front()).parent_path()));
  is_finished_ = true;
  return {};
}

}  // namespace mayfly::app
