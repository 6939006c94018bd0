// The vendor's baselines of its parser and its query plans, for tests. They are third-party data
// and not part of the repository: they lie in the folder that MAYFLY_COSMOS_VECTORS names, or in
// shared/data/cosmos beside the checkout. Where one of the two is set up, a missing file fails the
// tests. A clone that has neither skips them; Mayfly's own vectors (test/vectors/cosmos) are
// always there.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "value/json/json.h"

namespace mayfly::cosmos::testing {

inline std::string vendor_folder() {
  const char* given = std::getenv("MAYFLY_COSMOS_VECTORS");
  return given != nullptr ? given : MAYFLY_SOURCE_DIR "/../shared/data/cosmos";
}

// Whether the vendor's vectors have to be there.
inline bool are_vendor_vectors_due() {
  return std::getenv("MAYFLY_COSMOS_VECTORS") != nullptr ||
         std::filesystem::exists(MAYFLY_SOURCE_DIR "/../shared/data");
}

// One JSON object a line. Fails the test where the file is not there or empty.
inline std::vector<Value> read_vectors(const std::string& path) {
  std::ifstream file(path);
  std::vector<Value> vectors;
  for (std::string line; std::getline(file, line);) vectors.push_back(parse_json(line).value());
  EXPECT_FALSE(vectors.empty()) << path << " is missing or empty";
  return vectors;
}

inline std::string text_in(const Value& vector, std::string_view name) {
  const Value text = vector.member(name);
  return text.is(Kind::text) ? text.text() : "";
}

}  // namespace mayfly::cosmos::testing
