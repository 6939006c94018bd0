// TestDisk: a disk that fails on cue and loses power on cue, below a real RocksDB.
//
// It writes through to a real directory and records what a disk may lose: unsynced writes to files,
// and the creation, renaming and removal of files in directories that are not synced. A loss of
// power undoes some of that, as a seed decides, and ends the process. The next start finds the
// directory in that state.
#pragma once

#include <rocksdb/file_system.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <vector>

namespace mayfly::crash {

// The operations of a disk that can fail.
enum class DiskOperation : unsigned {
  read = 1,
  append = 2,  // also a write in place
  sync = 4,
  rename = 8,
  open = 16,
  remove = 32
};
inline constexpr unsigned all_calls = 63;

struct Fault {
  std::uint64_t nth = 0;  // the nth of those calls fails; 0: none
  unsigned calls = all_calls;
  bool is_sticky = false;    // all later calls fail, too
  bool is_no_space = false;  // with ENOSPC, not EIO; reads always with EIO
};

// What a process that may end reports to its parent, in shared memory.
struct ChildReport {
  std::atomic<std::uint64_t> acknowledged{0};  // the newest commit known to be durable
  std::atomic<std::uint64_t> begun{0};         // the newest commit that was begun
  std::atomic<std::uint64_t> calls{0};         // calls that could have failed
  std::atomic<std::uint64_t> syncs{0};
  std::atomic<std::uint64_t> failures{0};
  std::atomic<std::uint64_t> syncs_retried{0};  // of a file whose sync had failed
  char note[512] = {};                          // what was wrong
};

// The exit status of a process that has lost power.
inline constexpr int power_lost = 42;

// Threads: all members may be called from any thread.
class TestDisk final : public rocksdb::FileSystemWrapper {
 public:
  // `lost_and_found` is a directory on the same file system, for files that may have to be
  // restored.
  TestDisk(std::string lost_and_found, std::uint64_t seed, ChildReport& report);
  ~TestDisk() override;

  void fail(Fault fault);
  // The power is lost at the nth sync from now: just before it or just after it, as the seed
  // decides.
  void lose_power_at_sync(std::uint64_t nth);
  [[noreturn]] void lose_power_now();
  // From now on each sync of a log waits until go_on().
  void stall_logs();
  void go_on();
  // How many syncs wait or have waited.
  int stalled();

  static const char* kClassName() { return "TestDisk"; }
  const char* Name() const override { return kClassName(); }

  using Options = rocksdb::FileOptions;
  using IOOptions = rocksdb::IOOptions;
  using Context = rocksdb::IODebugContext;
  using IOStatus = rocksdb::IOStatus;
  IOStatus NewSequentialFile(const std::string& path, const Options& options,
                             std::unique_ptr<rocksdb::FSSequentialFile>* file,
                             Context* context) override;
  IOStatus NewRandomAccessFile(const std::string& path, const Options& options,
                               std::unique_ptr<rocksdb::FSRandomAccessFile>* file,
                               Context* context) override;
  IOStatus NewWritableFile(const std::string& path, const Options& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* file,
                           Context* context) override;
  IOStatus ReopenWritableFile(const std::string& path, const Options& options,
                              std::unique_ptr<rocksdb::FSWritableFile>* file,
                              Context* context) override;
  IOStatus NewRandomRWFile(const std::string& path, const Options& options,
                           std::unique_ptr<rocksdb::FSRandomRWFile>* file,
                           Context* context) override;
  IOStatus NewDirectory(const std::string& path, const IOOptions& options,
                        std::unique_ptr<rocksdb::FSDirectory>* directory,
                        Context* context) override;
  IOStatus RenameFile(const std::string& from, const std::string& to, const IOOptions& options,
                      Context* context) override;
  IOStatus DeleteFile(const std::string& path, const IOOptions& options, Context* context) override;

 private:
  friend class TestFile;
  friend class TestSlots;
  friend class TestDirectory;

  // A change of a directory that its next sync makes durable.
  struct FileChange {
    enum class Kind { make, rename, remove } kind;
    std::string path;
    std::string from;   // of a rename
    std::string saved;  // where the former file at `path` is kept until then; empty: there was none
  };
  struct State {
    std::uint64_t size = 0;
    std::uint64_t synced_size = 0;
    bool has_failed_sync = false;
    std::string synced_text;  // of a file that is written in place
    bool is_in_place = false;
  };

  void wait_while_stalled(const std::string& path);
  // With mutex_ held:
  IOStatus pass(DiskOperation call, const std::string& path);
  IOStatus pass_sync(const std::string& path, State* state);
  bool is_at_power_loss() const { return report_.syncs == power_lost_at_; }
  void after_sync();
  std::string save(const std::string& path);
  void made(const std::string& path);
  void directory_synced(const std::string& path);
  [[noreturn]] void lose_power();
  void take_back(const FileChange& change);
  void tear(const std::string& path, const State& state);
  std::uint64_t draw(std::uint64_t below);

  const std::string lost_and_found_;
  ChildReport& report_;
  std::mutex mutex_;  // one change at a time, so that a loss of power finds no change half done
  std::mt19937_64 random_;
  Fault fault_;
  std::uint64_t power_lost_at_ = 0;
  bool is_before_ = false;
  std::uint64_t saved_ = 0;
  std::condition_variable changed_;
  bool is_stalled_ = false;
  int stalled_ = 0;
  std::map<std::string, State> files_;
  std::vector<FileChange> changes_;  // in the order in which they were made
};

}  // namespace mayfly::crash
