// The files of the console, as they are in the binary. console/build.mjs bundles them and writes
// the definition of assets().
#pragma once

#include <span>
#include <string_view>

namespace mayfly::console {

struct Asset {
  std::string_view name;  // the last segment of its address: `index.html`
  std::string_view content_type;
  bool is_fixed;  // its name contains a hash of its bytes, so browsers may keep it
  std::string_view plain;
  std::string_view brotli;  // the same bytes, compressed
  std::string_view gzip;
};

std::span<const Asset> assets();

}  // namespace mayfly::console
