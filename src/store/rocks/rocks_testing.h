// Helpers for tests of RocksDB's files: opening with small buffers, and the files after a crash.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "store/open.h"
#include "store/testing.h"

namespace mayfly::store {

namespace fs = std::filesystem;
using testing::Directory;
using testing::everything;
using testing::got;
using testing::put;

inline Result<std::unique_ptr<Store>> open_in(const fs::path& path,
                                              std::size_t write_buffer = 1 << 20) {
  return open(
      {.data = path.string(), .write_buffer_bytes = write_buffer, .free_disk_bytes_min = 0});
}

// Copies the files as after a crash, while the store is still open.
inline void crash_into(const Directory& from, const Directory& to) {
  fs::create_directories(to.path());
  for (const auto& file : fs::directory_iterator(from.path())) {
    fs::copy_file(file.path(), to.path() / file.path().filename());
  }
}

inline std::vector<fs::path> files_of(const Directory& directory, const std::string& extension) {
  std::vector<fs::path> found;
  for (const auto& file : fs::directory_iterator(directory.path())) {
    if (file.path().extension() == extension) found.push_back(file.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

inline void flip_bit(const fs::path& path, std::uint64_t at) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(static_cast<std::streamoff>(at));
  const char flipped = static_cast<char>(file.get() ^ 0x10);
  file.seekp(static_cast<std::streamoff>(at));
  file.put(flipped);
  ASSERT_TRUE(file.good());
}

inline Bytes key_of(int i) {
  Bytes key = "k";
  put_u32(key, static_cast<std::uint32_t>(i));
  return key;
}

inline Bytes value_of(int i) {
  Bytes value = std::to_string(i);
  // Incompressible bytes, so that files have a size.
  std::uint64_t state = static_cast<std::uint64_t>(i) + 1;
  while (value.size() < 300) put_u64(value, state *= 6'364'136'223'846'793'005u);
  return value;
}

inline void fill(Store& store, int from, int to) {
  for (int i = from; i < to; ++i) put(store, {{key_of(i), value_of(i)}});
  store.sync(store.applied());
}

// The number of existing rows; checks that none of them is wrong.
inline int count_rows(Store& store, int rows) {
  int found = 0;
  for (int i = 0; i < rows; ++i) {
    Bytes value;
    const auto version = store.get(key_of(i), value, nullptr);
    if (!version || *version == 0) continue;
    EXPECT_TRUE(value == value_of(i));
    ++found;
  }
  return found;
}

}  // namespace mayfly::store
