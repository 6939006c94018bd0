// Helpers for the store's tests: an empty directory, short commits, and replies rendered as text.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "store/store.h"

namespace mayfly::store::testing {

// A directory of the running test, initially empty, removed with the object.
class Directory {
 public:
  explicit Directory(const std::string& name = "data") {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    std::string path = std::string(test->test_suite_name()) + "." + test->name() + "." + name;
    for (char& c : path) {
      if (c == '/') c = '.';
    }
    path_ = std::filesystem::path(::testing::TempDir()) / path;
    std::filesystem::remove_all(path_);
  }
  ~Directory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Directory(const Directory&) = delete;
  void operator=(const Directory&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string text() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

// The next free version of a store with a single writer.
inline Version next_version(const Store& store) {
  return store.applied() + 1;
}

// Commits without guards and returns the version. An empty value removes the row.
inline Version put(Store& store, const std::vector<std::pair<Bytes, Bytes>>& rows) {
  CommitBatch batch;
  batch.version = next_version(store);
  batch.since = store.applied();
  for (const auto& [key, value] : rows) {
    if (value.empty()) {
      batch.removals.push_back(key);
    } else {
      batch.puts.push_back({key, value});
    }
  }
  const auto done = store.commit(batch);
  EXPECT_TRUE(done) << done.error().message;
  return batch.version;
}

inline std::string outcome(const Result<void>& result) {
  return result ? "done" : name_of(result.error().code);
}

// "key=value@version", or "-" if there is no such row.
inline std::string text_of(const Row& row) {
  if (!row.present()) return "-";
  return Bytes(row.key) + "=" + Bytes(row.value) + "@" + std::to_string(row.version);
}

inline std::string text_of(const Rows& rows) {
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) text += (i ? " " : "") + text_of(rows[i]);
  return text;
}

// The rows, followed by a bar and the key to continue from.
inline std::string text_of(const Page& page) {
  return text_of(page.rows) + (page.next ? " | " + *page.next : "");
}

inline std::string scanned(Store& store, const Range& range, const Snapshot* snapshot = nullptr) {
  const auto reply = store.read({.scans = {range}}, snapshot);
  return reply ? text_of(reply->scans[0]) : name_of(reply.error().code);
}

inline std::string everything(Store& store, const Snapshot* snapshot = nullptr) {
  return scanned(store, {}, snapshot);
}

inline std::string got(Store& store, const Bytes& key, const Snapshot* snapshot = nullptr) {
  Bytes value = "left over";
  const auto version = store.get(key, value, snapshot);
  return version ? text_of({key, value, *version}) : name_of(version.error().code);
}

}  // namespace mayfly::store::testing
