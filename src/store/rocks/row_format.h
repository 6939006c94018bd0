// How a row lies in RocksDB:   stored = version (8 bytes, big-endian) value
#pragma once

#include <endian.h>

#include <array>
#include <cstring>
#include <optional>

#include "base/bytes.h"
#include "store/store.h"

namespace mayfly::store {

inline constexpr std::size_t version_bytes = sizeof(Version);

// The row that holds the version of the newest commit, and the first key a caller may use.
inline constexpr BytesView version_key = {};
inline constexpr BytesView first_key = {"\0", 1};

struct StoredRow {
  Version version = 0;
  BytesView value;
};

inline std::array<char, version_bytes> encode_version(Version version) {
  const std::uint64_t big = htobe64(version);
  std::array<char, version_bytes> bytes;
  std::memcpy(bytes.data(), &big, sizeof big);
  return bytes;
}

// Nothing where the bytes are too short or say that the row is absent: neither is ever written.
inline std::optional<StoredRow> decode_row(BytesView stored) {
  if (stored.size() < version_bytes) return std::nullopt;
  std::uint64_t big = 0;
  std::memcpy(&big, stored.data(), sizeof big);
  const StoredRow row{be64toh(big), stored.substr(version_bytes)};
  if (row.version == 0) return std::nullopt;
  return row;
}

}  // namespace mayfly::store
