// The format of rows:          stored      = version (8 bytes, big-endian) value
//                              version row = version, previous, durable (8 bytes each)
//
// Every commit rewrites the version row, under the empty key: its version, that of the commit
// before it, and the newest durable version at that time. So the write-ahead log itself shows
// whether a commit is missing, and which of its commits were durable.
#pragma once

#include <endian.h>

#include <array>
#include <cstring>
#include <optional>

#include "base/bytes.h"
#include "store/store.h"

namespace mayfly::store {

inline constexpr std::size_t version_bytes = sizeof(Version);

// The key of the version row, and the first key that a caller may use. RocksDB cannot compare a key
// that is a null pointer, so the empty key points to an address.
inline constexpr BytesView version_key = {"", 0};
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

// Nullopt if the bytes are too short or the row is absent: neither is ever written.
inline std::optional<StoredRow> decode_row(BytesView stored) {
  if (stored.size() < version_bytes) return std::nullopt;
  std::uint64_t big = 0;
  std::memcpy(&big, stored.data(), sizeof big);
  const StoredRow row{be64toh(big), stored.substr(version_bytes)};
  if (row.version == 0) return std::nullopt;
  return row;
}

struct VersionRow {
  Version version = 0;
  Version previous = 0;  // 0: it is the first
  Version durable = 0;
};

inline std::array<char, 3 * version_bytes> encode_version_row(const VersionRow& row) {
  std::array<char, 3 * version_bytes> bytes;
  char* at = bytes.data();
  for (const Version version : {row.version, row.previous, row.durable}) {
    std::memcpy(at, encode_version(version).data(), version_bytes);
    at += version_bytes;
  }
  return bytes;
}

// Nullopt if the bytes are no version row, or an old one that has only the version.
inline std::optional<VersionRow> decode_version_row(BytesView stored) {
  if (stored.size() != 3 * version_bytes) return std::nullopt;
  std::array<std::uint64_t, 3> big;
  std::memcpy(big.data(), stored.data(), sizeof big);
  const VersionRow row{be64toh(big[0]), be64toh(big[1]), be64toh(big[2])};
  if (row.version == 0 || row.previous >= row.version || row.durable >= row.version) {
    return std::nullopt;
  }
  return row;
}

}  // namespace mayfly::store
