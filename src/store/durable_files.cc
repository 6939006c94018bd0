// Durable files with POSIX calls: the standard library cannot flush.
#include "store/durable_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

namespace mayfly::store {
namespace {

constexpr std::size_t piece_bytes = 256 << 10;

class OpenFile {
 public:
  OpenFile(const std::string& path, int flags, Readers readers = Readers::all)
      : handle_(::open(path.c_str(), flags | O_CLOEXEC, readers == Readers::all ? 0644 : 0600)) {}
  ~OpenFile() {
    if (handle_ >= 0) ::close(handle_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  bool is_open() const { return handle_ >= 0; }
  ssize_t read(char* into, std::size_t bytes) const {
    ssize_t got = 0;
    do {
      got = ::read(handle_, into, bytes);
    } while (got < 0 && errno == EINTR);
    return got;
  }
  bool write(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t written = ::write(handle_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
  }
  bool sync_and_close() {
    const bool is_synced = ::fsync(handle_) == 0;
    const int handle = handle_;
    handle_ = -1;
    return ::close(handle) == 0 && is_synced;
  }

 private:
  int handle_;
};

}  // namespace

bool write_durably(const std::string& path, std::string_view text, Readers readers) {
  OpenFile file(path, O_WRONLY | O_CREAT | O_TRUNC, readers);
  return file.is_open() && file.write(text) && file.sync_and_close();
}

bool copy_durably(const std::string& from, const std::string& to) {
  const OpenFile source(from, O_RDONLY);
  if (!source.is_open()) return false;
  OpenFile copy(to, O_WRONLY | O_CREAT | O_EXCL);
  if (!copy.is_open()) return false;
  std::string piece(piece_bytes, '\0');
  for (;;) {
    const ssize_t got = source.read(piece.data(), piece.size());
    if (got < 0) return false;
    if (got == 0) return copy.sync_and_close();
    if (!copy.write({piece.data(), static_cast<std::size_t>(got)})) return false;
  }
}

bool make_directories_durably(const std::string& directory) {
  constexpr mode_t all_users = 0777;  // as the process' mask permits
  std::filesystem::path path = directory;
  if (!path.has_filename()) path = path.parent_path();  // a slash at the end
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return true;
  errno = ENOENT;
  if (path.empty()) return false;
  const std::filesystem::path above = path.has_parent_path() ? path.parent_path() : ".";
  if (!make_directories_durably(above.string())) return false;
  return ::mkdir(path.c_str(), all_users) == 0 && make_names_durable(above.string());
}

bool make_names_durable(const std::string& directory) {
  OpenFile file(directory, O_RDONLY | O_DIRECTORY);
  return file.is_open() && file.sync_and_close();
}

}  // namespace mayfly::store
