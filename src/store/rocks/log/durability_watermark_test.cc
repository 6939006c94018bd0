#include "store/rocks/log/durability_watermark.h"

#include <gtest/gtest.h>
#include <rocksdb/file_system.h>

#include <fstream>

#include "store/testing.h"

namespace mayfly::store {
namespace {

namespace fs = std::filesystem;

struct Files {
  testing::Directory directory;
  std::shared_ptr<rocksdb::FileSystem> files = rocksdb::FileSystem::Default();

  Files() { fs::create_directories(directory.path()); }
  std::unique_ptr<DurabilityWatermark> open() {
    auto watermark = DurabilityWatermark::open(*files, directory.text());
    EXPECT_TRUE(watermark);
    return std::move(watermark).value();
  }
  Version read() { return read_durability_watermark(*files, directory.text()); }
  fs::path path() const { return directory.path() / "MAYFLY.promised"; }
};

TEST(DurabilityWatermarkTest, AWatermarkIsReadBack) {
  Files files;
  EXPECT_EQ(files.read(), 0u);
  auto watermark = files.open();
  EXPECT_EQ(files.read(), 0u);
  for (const Version version : {5, 7, 6, 1'000}) {
    watermark->raise(version);
    EXPECT_EQ(files.read(), std::max<Version>(version, version == 6 ? 7 : 0));
  }
  watermark = files.open();
  watermark->raise(999);
  EXPECT_EQ(files.read(), 1'000u);
  watermark->raise(1'001);
  watermark->sync();
  EXPECT_EQ(files.read(), 1'001u);
}

TEST(DurabilityWatermarkTest, NoFlippedBitRaisesIt) {
  Files files;
  {
    auto watermark = files.open();
    watermark->raise(0x1122334455667788);
    watermark->raise(0x1122334455667799);
  }
  std::ifstream whole(files.path(), std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(whole), {}};
  for (std::size_t bit = 0; bit < text.size() * 8; ++bit) {
    std::string flipped = text;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    std::ofstream(files.path(), std::ios::binary | std::ios::trunc) << flipped;
    const Version version = files.read();
    EXPECT_TRUE(version == 0x1122334455667788 || version == 0x1122334455667799)
        << bit << ": " << version;
  }
}

TEST(DurabilityWatermarkTest, ADamagedFileIsCreatedAgain) {
  for (const char* text : {"", "nonsense", "0000000000000000"}) {
    Files files;
    std::ofstream(files.path()) << text;
    EXPECT_EQ(files.read(), 0u);
    files.open()->raise(12);
    EXPECT_EQ(files.read(), 12u);
  }
}

}  // namespace
}  // namespace mayfly::store
