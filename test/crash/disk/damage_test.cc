// Damaged files: a flipped bit, a truncated end, a page of zeros, a missing file. Each time the
// start is refused or a read fails, and the message names the file and the remedy; or the damage is
// harmless. A wrong answer never occurs.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rocksdb/env.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "work.h"

namespace mayfly::crash {
namespace {

namespace fs = std::filesystem;

constexpr int cases = 240;
constexpr std::uint64_t damage_commits = 90;

// The state of the directory before it is damaged.
enum class Left { by_crash, by_crash_with_two_logs, by_closing };
constexpr const char* names_of_left[] = {"after a crash", "after a crash with two logs",
                                         "after closing"};

// Buffers are no longer flushed to files, so that a second log is begun beside the first.
void stop_flushes() {
  rocksdb::Env::Default()->SetBackgroundThreads(1, rocksdb::Env::HIGH);
  rocksdb::Env::Default()->Schedule(
      [](void*) {
        for (;;) pause();
      },
      nullptr, rocksdb::Env::HIGH);
}

std::size_t count_logs(const std::string& directory) {
  return std::count_if(fs::directory_iterator(directory), fs::directory_iterator(),
                       [](const auto& file) { return file.path().extension() == ".log"; });
}

struct DamageScene {
  ScratchDirectory whole{"damage-whole"};
  ScratchDirectory damaged{"damage"};
  std::shared_ptr<ChildReport> report = shared_report();
  std::uint64_t last = 0;

  int prepare(Left left) {
    whole.clear();
    const int ended = in_child([&]() -> int {
      auto opened = Opened::open(whole.data(), nullptr);
      if (!opened) return wrong(*report, opened.error().message);
      for (std::uint64_t i = 1; i <= damage_commits || count_logs(whole.data()) < 2; ++i) {
        if (!(*opened)->commit(i)) return wrong(*report, "not committed");
        store::Store& store = (*opened)->database().store();
        store.sync(store.applied());
        report->acknowledged = i;
        if (i == damage_commits / 3 && !store.compact({}, {}))
          return wrong(*report, "not compacted");
        if (i == damage_commits && left != Left::by_crash_with_two_logs) break;
        if (i == damage_commits) stop_flushes();
      }
      if (left == Left::by_closing) return 0;
      _exit(0);
    });
    last = report->acknowledged;
    return ended;
  }

  void copy() {
    damaged.clear();
    fs::copy(whole.data(), damaged.data(), fs::copy_options::recursive);
  }
};

// The kind of a file: its name without its number.
std::string kind_of(const fs::path& path) {
  const std::string name = path.filename();
  if (path.extension() == ".sst" || path.extension() == ".log") return path.extension();
  return name.substr(0, name.find('-'));
}

std::map<std::string, std::vector<fs::path>> files_by_kind(const std::string& directory) {
  std::map<std::string, std::vector<fs::path>> kinds;
  for (const auto& file : fs::directory_iterator(directory)) {
    const std::string kind = kind_of(file.path());
    if (kind != "LOCK" && kind != "LOG" && !kind.starts_with("LOG.")) {
      kinds[kind].push_back(file.path());
    }
  }
  for (auto& [kind, files] : kinds) std::sort(files.begin(), files.end());
  return kinds;
}

class Damage {
 public:
  explicit Damage(std::uint64_t seed) : random_(seed) {}

  std::uint64_t draw(std::uint64_t below) { return random_() % below; }

  // Damages the file; gives a description.
  std::string inflict(const fs::path& path) {
    const std::uint64_t size = fs::file_size(path);
    const std::uint64_t kind = draw(4);
    if (kind == 0 || size == 0) {
      fs::remove(path);
      return "gone";
    }
    // Half of the time near the end, where lost bytes look like bytes that were never written.
    const std::uint64_t at = draw(2) == 0 ? draw(size) : size - 1 - draw(std::min(size, 300ul));
    if (kind == 1) {
      fs::resize_file(path, at);
      return fmt::format("cut to {} of {} bytes", at, size);
    }
    if (kind == 2) {
      change(path, at, std::string(std::min(size - at, 512ul), '\0'));
      return fmt::format("zeros from {} of {} bytes", at, size);
    }
    std::ifstream file(path, std::ios::binary);
    file.seekg(static_cast<std::streamoff>(at));
    const std::uint64_t bit = draw(8);
    change(path, at, std::string(1, static_cast<char>(file.get() ^ (1 << bit))));
    return fmt::format("bit {} of byte {} of {} flipped", bit, at, size);
  }

 private:
  static void change(const fs::path& path, std::uint64_t at, const std::string& bytes) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(at));
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }

  std::mt19937_64 random_;
};

// Whether an error names the file and the remedy.
std::string complaint_about(const Error& error, const fs::path& file) {
  const bool names_file = error.message.find(file.filename()) != std::string::npos ||
                          error.message.find("*" + file.extension().string()) != std::string::npos;
  if (names_file && error.message.find("backup") != std::string::npos) return "";
  return fmt::format("'{}' does not name {} and the remedy", error.message, file.string());
}

// 0: the damage is harmless; 2: it was noticed and reported well; 1: `report` says what is wrong.
int look(DamageScene& scene, const fs::path& file) {
  return in_child([&]() -> int {
    const auto noticed = [&](const Error& error) {
      const std::string complaint = complaint_about(error, file);
      return complaint.empty() ? 2 : wrong(*scene.report, complaint);
    };
    auto opened = Opened::open(scene.damaged.data(), nullptr);
    if (!opened) return noticed(opened.error());
    const auto found = (*opened)->check(scene.last);
    if (!found) return noticed(found.error());
    return found->empty() ? 0 : wrong(*scene.report, "silently: " + *found);
  });
}

TEST(DamageTest, IsHarmlessOrNoticedAndTheFileAndTheRemedyAreNamed) {
  DamageScene scene;
  std::map<std::string, std::array<int, 2>> counts;  // noticed, harmless
  int number = 0;
  for (const Left left : {Left::by_crash, Left::by_crash_with_two_logs, Left::by_closing}) {
    ASSERT_EQ(scene.prepare(left), 0) << scene.report->note;
    scene.copy();
    ASSERT_EQ(look(scene, "none"), 0) << "without any damage: " << scene.report->note;
    for (int i = 0; i < cases / 3; ++i) {
      Damage damage(static_cast<std::uint64_t>(++number));
      scene.copy();
      const auto kinds = files_by_kind(scene.damaged.data());
      ASSERT_GE(kinds.size(), 8u);
      const auto& [kind, files] = *std::next(kinds.begin(), i % static_cast<int>(kinds.size()));
      const fs::path file = files[damage.draw(files.size())];
      const std::string done = damage.inflict(file);
      const int ended = look(scene, file);
      EXPECT_TRUE(ended == 0 || ended == 2)
          << "case " << number << ", " << names_of_left[static_cast<int>(left)] << ", "
          << file.filename() << ", " << done << ": " << ended << " " << scene.report->note;
      ++counts[kind][ended == 0];
    }
  }
  for (const auto& [kind, count] : counts) {
    std::printf("%-16s noticed %3d, harmless %3d\n", kind.c_str(), count[0], count[1]);
  }
}

}  // namespace
}  // namespace mayfly::crash
