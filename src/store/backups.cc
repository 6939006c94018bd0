// Backups as directories: creates, lists, verifies and restores them.
#include "store/backups.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>

#include "base/crypto/crypto.h"
#include "base/limits.h"
#include "store/durable_files.h"

namespace mayfly::store {
namespace {

namespace fs = std::filesystem;

constexpr const char* manifest_name = "BACKUP";
constexpr std::string_view first_line = "mayfly backup 1\n";
// While this file is missing, open() refuses the directory as damaged. So it is put in place last.
constexpr std::string_view last_file = "CURRENT";

struct BackupFile {
  std::string name;
  std::uint64_t bytes = 0;
};

// The contents of the file BACKUP.
struct Manifest {
  Version version = 0;
  std::vector<BackupFile> files;
};

tl::unexpected<Error> failed(std::string_view doing, const std::string& path,
                             const std::string& why) {
  return fail(Code::internal, fmt::format("{} {}: {}", doing, path, why));
}
tl::unexpected<Error> failed(std::string_view doing, const std::string& path) {
  const Code code = errno == ENOSPC ? Code::no_space : Code::internal;
  return fail(code, fmt::format("{} {}: {}", doing, path, std::strerror(errno)));
}

std::string render(const Manifest& manifest) {
  std::string text(first_line);
  text += fmt::format("version {}\n", manifest.version);
  for (const BackupFile& file : manifest.files)
    text += fmt::format("file {} {}\n", file.bytes, file.name);
  return text + fmt::format("check {}\n", encode_hex(sha256(text)));
}

// Consumes `word number` of a line, and returns the rest.
std::optional<std::string_view> take_number(std::string_view line, std::string_view word,
                                            std::uint64_t& number) {
  if (!line.starts_with(word)) return std::nullopt;
  line.remove_prefix(word.size());
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
  if (error != std::errc()) return std::nullopt;
  line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  return line;
}

// Nullopt if the text is not what render() writes.
std::optional<Manifest> parse_manifest(std::string_view text) {
  const std::size_t check = text.rfind("check ");
  if (!text.starts_with(first_line) || check == text.npos) return std::nullopt;
  Manifest manifest;
  std::string_view rest = text.substr(first_line.size(), check - first_line.size());
  for (bool is_first = true; !rest.empty(); is_first = false) {
    const std::size_t end = rest.find('\n');
    if (end == rest.npos) return std::nullopt;
    BackupFile file;
    const auto behind = is_first ? take_number(rest.substr(0, end), "version ", manifest.version)
                                 : take_number(rest.substr(0, end), "file ", file.bytes);
    if (!behind || (is_first != behind->empty())) return std::nullopt;
    if (!is_first) {
      file.name = behind->substr(1);
      if (file.name.empty() || file.name.find('/') != file.name.npos) return std::nullopt;
      manifest.files.push_back(std::move(file));
    }
    rest.remove_prefix(end + 1);
  }
  if (render(manifest) != text) return std::nullopt;
  return manifest;
}

std::optional<Manifest> read_manifest(const fs::path& backup) {
  std::ifstream file(backup / manifest_name, std::ios::binary);
  if (!file) return std::nullopt;
  return parse_manifest(std::string{std::istreambuf_iterator<char>(file), {}});
}

BackupInfo describe(std::string name, const Manifest& manifest) {
  BackupInfo info{
      .name = std::move(name), .version = manifest.version, .files = manifest.files.size()};
  for (const BackupFile& file : manifest.files) info.bytes += file.bytes;
  return info;
}

Result<std::vector<BackupFile>> files_of(const std::string& directory) {
  std::vector<BackupFile> files;
  std::error_code error;
  for (fs::directory_iterator file(directory, error), end; !error && file != end;
       file.increment(error)) {
    files.push_back({file->path().filename().string(), file->file_size(error)});
    if (error) break;
  }
  if (error) return failed("reading", directory, error.message());
  std::sort(files.begin(), files.end(),
            [](const BackupFile& a, const BackupFile& b) { return a.name < b.name; });
  return files;
}

Result<void> clear_away(const std::string& partial) {
  // The engine first collects its files under another name.
  for (const std::string& path : {partial, partial + ".tmp"}) {
    std::error_code error;
    fs::remove_all(path, error);
    if (error) return failed("clearing away", path, error.message());
  }
  return {};
}

Result<Manifest> open_manifest(const std::string& backup) {
  auto manifest = read_manifest(backup);
  if (manifest) return *std::move(manifest);
  std::error_code unknown;
  if (!fs::is_directory(backup, unknown)) {
    return fail(Code::invalid,
                backup +
                    ": there is no such directory; name the backup's directory, such as "
                    "/srv/backups/monday");
  }
  return fail(Code::invalid,
              fmt::format("{} is no whole backup: it has no good file {}", backup, manifest_name));
}

Result<void> verify(const std::string& backup, const Manifest& manifest) {
  for (const BackupFile& file : manifest.files) {
    std::error_code error;
    const std::uint64_t bytes = fs::file_size(fs::path(backup) / file.name, error);
    if (!error && bytes == file.bytes) continue;
    const std::string found = error ? error.message() : fmt::format("it has {} bytes", bytes);
    return fail(Code::corrupt, fmt::format("the backup {} is damaged: {} should have {} bytes: {}",
                                           backup, file.name, file.bytes, found));
  }
  return {};
}

std::string name_of(const std::string& backup) {
  const fs::path path = fs::path(backup).lexically_normal();
  return path.has_filename() ? path.filename() : path.parent_path().filename();
}

// Creates the directory if it is missing; refuses one that is not empty.
Result<void> open_target(const std::string& data) {
  if (!make_directories_durably(data)) {
    const std::string why = std::generic_category().message(errno);
    return fail(Code::invalid, fmt::format("{}: {}", data, why), "data");
  }
  std::error_code error;
  const bool is_empty = fs::is_empty(data, error);
  if (error) return fail(Code::invalid, fmt::format("{}: {}", data, error.message()), "data");
  if (is_empty) return {};
  return fail(Code::exists, data + " is not empty; a backup is restored to a new directory",
              "data");
}

Result<void> copy_file(const BackupFile& file, const std::string& backup, const std::string& data) {
  const std::string from = fs::path(backup) / file.name;
  const std::string to = fs::path(data) / file.name;
  const bool never_changes = from.ends_with(".sst");
  if (never_changes && ::link(from.c_str(), to.c_str()) == 0) return {};
  if (copy_durably(from, to)) return {};
  return failed("copying", from);
}

}  // namespace

Result<void> check_backup_name(const std::string& name) {
  const auto is_good = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  };
  if (!name.empty() && name.size() <= limits::backup_name_bytes_max && name.front() != '.' &&
      std::all_of(name.begin(), name.end(), is_good)) {
    return {};
  }
  return fail(Code::invalid,
              fmt::format("a backup's name is 1 to {} letters, digits, '-', '_' and '.', which is "
                          "not the first",
                          limits::backup_name_bytes_max),
              "name");
}

Result<BackupInfo> make_backup(Store& store, const std::string& directory,
                               const std::string& name) {
  TRY(check_backup_name(name));
  const std::string whole = fs::path(directory) / name;
  const std::string partial = fs::path(directory) / fmt::format(".{}.partial", name);
  if (!make_directories_durably(directory)) return failed("making", directory);
  std::error_code error;
  if (fs::exists(whole, error)) {
    return fail(Code::exists, fmt::format("there is already a backup named '{}'", name), "name");
  }
  TRY(clear_away(partial));
  Manifest manifest;
  manifest.version = TRY(store.backup(partial)).version;
  manifest.files = TRY(files_of(partial));
  const std::string manifest_path = fs::path(partial) / manifest_name;
  if (!write_durably(manifest_path, render(manifest))) return failed("writing", manifest_path);
  if (!make_names_durable(partial)) return failed("writing", partial);
  fs::rename(partial, whole, error);
  if (error) return failed("naming", whole, error.message());
  if (!make_names_durable(directory)) return failed("writing", directory);
  return describe(name, manifest);
}

Result<std::vector<BackupInfo>> list_backups(const std::string& directory) {
  std::vector<BackupInfo> found;
  std::error_code error;
  if (!fs::exists(directory, error)) return found;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end;
       entry.increment(error)) {
    std::string name = entry->path().filename();
    if (!check_backup_name(name)) continue;
    if (const auto manifest = read_manifest(entry->path()))
      found.push_back(describe(name, *manifest));
  }
  if (error) return failed("reading", directory, error.message());
  std::sort(found.begin(), found.end(),
            [](const BackupInfo& a, const BackupInfo& b) { return a.name < b.name; });
  return found;
}

Result<void> remove_backup(const std::string& directory, const std::string& name) {
  TRY(check_backup_name(name));
  const std::string whole = fs::path(directory) / name;
  const std::string partial = fs::path(directory) / fmt::format(".{}.partial", name);
  if (!read_manifest(whole)) {
    return fail(Code::not_found, fmt::format("there is no backup named '{}'", name), "name");
  }
  TRY(clear_away(partial));
  std::error_code error;
  fs::rename(whole, partial, error);
  if (error) return failed("removing", whole, error.message());
  if (!make_names_durable(directory)) return failed("removing", whole);
  return clear_away(partial);
}

Result<BackupInfo> verify_backup(const std::string& backup) {
  const Manifest manifest = TRY(open_manifest(backup));
  TRY(verify(backup, manifest));
  return describe(name_of(backup), manifest);
}

Result<BackupInfo> restore_backup(const std::string& backup, const std::string& data) {
  const Manifest manifest = TRY(open_manifest(backup));
  TRY(verify(backup, manifest));
  TRY(open_target(data));
  // First the file that makes it a data directory; last the file without which it is refused.
  for (const auto phase : {0, 1, 2}) {
    for (const BackupFile& file : manifest.files) {
      const int own_phase = file.name == last_file ? 2 : file.name == "MAYFLY" ? 0 : 1;
      if (own_phase == phase) TRY(copy_file(file, backup, data));
    }
    if (!make_names_durable(data)) return failed("writing", data);
  }
  const fs::path parent = fs::absolute(fs::path(data) / "..");
  if (!make_names_durable(parent)) return failed("writing", parent);
  return describe(name_of(backup), manifest);
}

}  // namespace mayfly::store
