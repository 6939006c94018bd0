#include "store/rocks/log/durability_watermark.h"

#include <fmt/format.h>
#include <rocksdb/file_system.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "store/rocks/directory.h"

namespace mayfly::store {
namespace {

constexpr std::size_t digits = 16;
constexpr std::size_t slot_bytes = 2 * digits + 2;

std::string path_in(const std::string& directory) {
  return directory + "/MAYFLY.promised";
}

std::string render_slot(Version version) {
  return fmt::format("{:016x} {:016x}\n", version, ~version);
}

std::optional<Version> parse_slot(std::string_view slot) {
  Version version = 0;
  std::from_chars(slot.data(), slot.data() + std::min(slot.size(), digits), version, 16);
  if (slot != render_slot(version)) return std::nullopt;
  return version;
}

std::optional<Version> parse_version(std::string_view text) {
  if (text.size() != 2 * slot_bytes) return std::nullopt;
  // Nullopt is less than any value.
  return std::max(parse_slot(text.substr(0, slot_bytes)), parse_slot(text.substr(slot_bytes)));
}

std::optional<Version> read(rocksdb::FileSystem& files, const std::string& directory) {
  std::string text;
  if (!rocksdb::ReadFileToString(&files, path_in(directory), &text).ok()) return std::nullopt;
  return parse_version(text);
}

}  // namespace

Version read_durability_watermark(rocksdb::FileSystem& files, const std::string& directory) {
  return read(files, directory).value_or(0);
}

DurabilityWatermark::DurabilityWatermark(std::unique_ptr<rocksdb::FSRandomRWFile> file,
                                         Version version)
    : file_(std::move(file)), version_(version) {}
DurabilityWatermark::~DurabilityWatermark() = default;

Result<std::unique_ptr<DurabilityWatermark>> DurabilityWatermark::open(
    rocksdb::FileSystem& files, const std::string& directory) {
  const std::string path = path_in(directory);
  const std::optional<Version> stored = read(files, directory);
  if (!stored) TRY(write_durably(files, directory, path, render_slot(0) + render_slot(0)));
  std::unique_ptr<rocksdb::FSRandomRWFile> file;
  rocksdb::IOStatus status = files.NewRandomRWFile(path, {}, &file, nullptr);
  // A file left by a crashed process may exist only in memory, including its name. A failed sync is
  // not repeated; then opening fails.
  if (status.ok() && stored) status = file->Sync({}, nullptr);
  if (!status.ok()) return fail(Code::invalid, fmt::format("{}: {}", path, status.ToString()));
  if (stored) TRY(make_names_durable(files, directory));
  return std::unique_ptr<DurabilityWatermark>(
      new DurabilityWatermark(std::move(file), stored.value_or(0)));
}

void DurabilityWatermark::raise(Version version) {
  if (version <= version_) return;
  const std::size_t offset = is_second_slot_ ? slot_bytes : 0;
  const rocksdb::IOStatus status = file_->Write(offset, render_slot(version), {}, nullptr);
  if (!status.ok()) return;
  version_ = version;
  is_second_slot_ = !is_second_slot_;
}

void DurabilityWatermark::sync() {
  file_->Sync({}, nullptr).PermitUncheckedError();
}

}  // namespace mayfly::store
