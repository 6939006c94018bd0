#include "app/ports/identity.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "base/service/logging.h"
#include "store/durable_files.h"

namespace mayfly::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* folder_name = "tls";
constexpr const char* certificate_name = "certificate.pem";
constexpr const char* key_name = "key.pem";
constexpr std::size_t host_name_bytes = 256;

std::optional<std::string> read_file(const fs::path& path) {
  std::error_code error;
  std::ifstream file(path, std::ios::binary);
  if (!file || fs::is_directory(path, error)) return std::nullopt;
  std::stringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

Result<std::string> read_configured(const Settings& settings, const std::string& name) {
  const std::string& path = settings.text(name);
  errno = 0;
  if (auto text = read_file(path)) return *std::move(text);
  const char* reason = errno == 0 ? "it is no file" : std::strerror(errno);
  return fail(Code::invalid, name + ": " + path + " cannot be read: " + reason, name);
}

std::string name_of_host() {
  char name[host_name_bytes] = "";
  return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

std::optional<Identity> read_stored(const fs::path& folder) {
  const auto certificate = read_file(folder / certificate_name);
  const auto key = read_file(folder / key_name);
  if (!certificate && !key) return std::nullopt;
  auto read = read_identity(certificate.value_or(""), key.value_or(""));
  if (read) return *std::move(read);
  log(LogLevel::warn, "the server's own certificate is damaged; the server creates a new one",
      {{"folder", folder.string()}, {"error", read.error().message}});
  return std::nullopt;
}

// Replaces the file atomically: a concurrent reader sees the complete old file.
bool replace_file(const fs::path& path, const std::string& text, store::Readers readers) {
  const fs::path draft = path.string() + ".new";
  std::error_code error;
  fs::remove(draft, error);
  if (!store::write_durably(draft, text, readers)) return false;
  fs::rename(draft, path, error);
  return !error;
}

// Writes the key first. A certificate without its key, or a key without its certificate, counts as
// damaged and is generated again.
bool write_stored(const fs::path& folder, const Identity& identity) {
  std::error_code error;
  fs::create_directory(folder, error);
  return replace_file(folder / key_name, identity.key, store::Readers::owner) &&
         replace_file(folder / certificate_name, identity.certificate, store::Readers::all) &&
         store::make_names_durable(folder) && store::make_names_durable(folder.parent_path());
}

}  // namespace

Result<std::optional<Identity>> configured_identity(const Settings& settings) {
  const bool has_certificate = !settings.text("tls.certificate").empty();
  const bool has_key = !settings.text("tls.key").empty();
  if (!has_certificate && !has_key) return std::nullopt;
  if (has_certificate != has_key) {
    const std::string missing = has_key ? "tls.certificate" : "tls.key";
    return fail(Code::invalid, "tls.certificate and tls.key go together: set " + missing, missing);
  }
  const std::string certificate = TRY(read_configured(settings, "tls.certificate"));
  const std::string key = TRY(read_configured(settings, "tls.key"));
  auto identity = read_identity(certificate, key);
  if (identity) return *std::move(identity);
  const std::string setting = "tls." + identity.error().field;
  return tl::unexpected(
      std::move(identity).error().during(setting + ", " + settings.text(setting)));
}

Identity own_identity(const std::string& data, Instant now) {
  if (data == ":memory:") return make_identity(name_of_host(), now);
  const fs::path folder = fs::path(data) / folder_name;
  auto stored = read_stored(folder);
  if (stored && now < end_of(*stored)) return *std::move(stored);
  Identity made = make_identity(name_of_host(), now);
  if (write_stored(folder, made)) {
    log(LogLevel::info, "the server created its own certificate", {{"folder", folder.string()}});
  } else {
    log(LogLevel::warn, "the server's own certificate could not be kept: the next start makes one",
        {{"folder", folder.string()}, {"error", std::strerror(errno)}});
  }
  return made;
}

}  // namespace mayfly::app
