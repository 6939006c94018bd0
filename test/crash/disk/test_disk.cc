// TestDisk: forwarding, failures, and losses.
#include "test_disk.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

namespace mayfly::crash {

namespace fs = std::filesystem;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

namespace {

std::string directory_of(const std::string& path) {
  return fs::path(path).parent_path().string();
}

std::string clean(const std::string& path) {
  return fs::path(path).lexically_normal().string();
}

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

// A file that is appended to.
class TestFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  TestFile(TestDisk& disk, std::string path, std::unique_ptr<rocksdb::FSWritableFile> file)
      : FSWritableFileOwnerWrapper(std::move(file)), disk_(disk), path_(std::move(path)) {}

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* context) override {
    const std::lock_guard lock(disk_.mutex_);
    IOStatus status = disk_.pass(DiskOperation::append, path_);
    // Of a write that fails a part may have been written.
    const Slice part(data.data(), status.ok() ? data.size() : data.size() / 2);
    const IOStatus written = FSWritableFileWrapper::Append(part, options, context);
    if (written.ok()) disk_.files_[path_].size += part.size();
    return status.ok() ? written : status;
  }
  IOStatus Append(const Slice& data, const IOOptions& options, const rocksdb::DataVerificationInfo&,
                  IODebugContext* context) override {
    return Append(data, options, context);
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* context) override {
    disk_.wait_while_stalled(path_);
    const std::lock_guard lock(disk_.mutex_);
    TestDisk::State& state = disk_.files_[path_];
    const IOStatus status = disk_.pass_sync(path_, &state);
    if (!status.ok()) return status;
    const IOStatus synced = FSWritableFileWrapper::Sync(options, context);
    if (synced.ok()) state.synced_size = state.size;
    disk_.after_sync();
    return synced;
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* context) override {
    return Sync(options, context);
  }

 private:
  TestDisk& disk_;
  const std::string path_;
};

// A small file that is written in place.
class TestSlots final : public rocksdb::FSRandomRWFileOwnerWrapper {
 public:
  TestSlots(TestDisk& disk, std::string path, std::unique_ptr<rocksdb::FSRandomRWFile> file)
      : FSRandomRWFileOwnerWrapper(std::move(file)), disk_(disk), path_(std::move(path)) {}

  IOStatus Write(std::uint64_t offset, const Slice& data, const IOOptions& options,
                 IODebugContext* context) override {
    const std::lock_guard lock(disk_.mutex_);
    const IOStatus status = disk_.pass(DiskOperation::append, path_);
    if (!status.ok()) return status;
    return FSRandomRWFileWrapper::Write(offset, data, options, context);
  }
  IOStatus Read(std::uint64_t offset, std::size_t bytes, const IOOptions& options, Slice* read,
                char* room, IODebugContext* context) const override {
    {
      const std::lock_guard lock(disk_.mutex_);
      const IOStatus status = disk_.pass(DiskOperation::read, path_);
      if (!status.ok()) return status;
    }
    return FSRandomRWFileWrapper::Read(offset, bytes, options, read, room, context);
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* context) override {
    const std::lock_guard lock(disk_.mutex_);
    TestDisk::State& state = disk_.files_[path_];
    const IOStatus status = disk_.pass_sync(path_, &state);
    if (!status.ok()) return status;
    const IOStatus synced = FSRandomRWFileWrapper::Sync(options, context);
    if (synced.ok()) state.synced_text = text_of(path_);
    disk_.after_sync();
    return synced;
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* context) override {
    return Sync(options, context);
  }

 private:
  TestDisk& disk_;
  const std::string path_;
};

class TestDirectory final : public rocksdb::FSDirectoryWrapper {
 public:
  TestDirectory(TestDisk& disk, std::string path, std::unique_ptr<rocksdb::FSDirectory> directory)
      : FSDirectoryWrapper(std::move(directory)), disk_(disk), path_(std::move(path)) {}

  IOStatus Fsync(const IOOptions& options, IODebugContext* context) override {
    return FsyncWithDirOptions(options, context, {});
  }
  IOStatus FsyncWithDirOptions(const IOOptions& options, IODebugContext* context,
                               const rocksdb::DirFsyncOptions&) override {
    const std::lock_guard lock(disk_.mutex_);
    const IOStatus status = disk_.pass_sync(path_, nullptr);
    if (!status.ok()) return status;
    const IOStatus synced = FSDirectoryWrapper::Fsync(options, context);
    if (synced.ok()) disk_.directory_synced(path_);
    disk_.after_sync();
    return synced;
  }

 private:
  TestDisk& disk_;
  const std::string path_;
};

namespace {

class TestSequential final : public rocksdb::FSSequentialFileOwnerWrapper {
 public:
  using Pass = std::function<IOStatus()>;
  TestSequential(std::unique_ptr<rocksdb::FSSequentialFile> file, Pass pass)
      : FSSequentialFileOwnerWrapper(std::move(file)), pass_(std::move(pass)) {}
  IOStatus Read(std::size_t bytes, const IOOptions& options, Slice* read, char* room,
                IODebugContext* context) override {
    const IOStatus status = pass_();
    if (!status.ok()) return status;
    return FSSequentialFileWrapper::Read(bytes, options, read, room, context);
  }

 private:
  const Pass pass_;
};

class TestRandomAccess final : public rocksdb::FSRandomAccessFileOwnerWrapper {
 public:
  using Pass = std::function<IOStatus()>;
  TestRandomAccess(std::unique_ptr<rocksdb::FSRandomAccessFile> file, Pass pass)
      : FSRandomAccessFileOwnerWrapper(std::move(file)), pass_(std::move(pass)) {}
  IOStatus Read(std::uint64_t offset, std::size_t bytes, const IOOptions& options, Slice* read,
                char* room, IODebugContext* context) const override {
    const IOStatus status = pass_();
    if (!status.ok()) return status;
    return FSRandomAccessFileWrapper::Read(offset, bytes, options, read, room, context);
  }
  IOStatus MultiRead(rocksdb::FSReadRequest* requests, std::size_t count, const IOOptions& options,
                     IODebugContext* context) override {
    const IOStatus status = pass_();
    if (!status.ok()) return status;
    return FSRandomAccessFileWrapper::MultiRead(requests, count, options, context);
  }

 private:
  const Pass pass_;
};

}  // namespace

TestDisk::TestDisk(std::string lost_and_found, std::uint64_t seed, ChildReport& report)
    : FileSystemWrapper(rocksdb::FileSystem::Default()),
      lost_and_found_(std::move(lost_and_found)),
      report_(report),
      random_(seed) {
  fs::remove_all(lost_and_found_);
  fs::create_directories(lost_and_found_);
  report_.calls = report_.syncs = report_.failures = 0;
}

TestDisk::~TestDisk() = default;

void TestDisk::fail(Fault fault) {
  const std::lock_guard lock(mutex_);
  fault_ = fault;
  report_.calls = 0;
}

void TestDisk::lose_power_at_sync(std::uint64_t nth) {
  const std::lock_guard lock(mutex_);
  power_lost_at_ = report_.syncs + nth;
  is_before_ = draw(2) == 0;
}

void TestDisk::lose_power_now() {
  const std::lock_guard lock(mutex_);
  lose_power();
}

void TestDisk::stall_logs() {
  const std::lock_guard lock(mutex_);
  is_stalled_ = true;
}

void TestDisk::go_on() {
  const std::lock_guard lock(mutex_);
  is_stalled_ = false;
  changed_.notify_all();
}

int TestDisk::stalled() {
  const std::lock_guard lock(mutex_);
  return stalled_;
}

void TestDisk::wait_while_stalled(const std::string& path) {
  std::unique_lock lock(mutex_);
  if (!is_stalled_ || !path.ends_with(".log")) return;
  ++stalled_;
  changed_.wait(lock, [this] { return !is_stalled_; });
}

std::uint64_t TestDisk::draw(std::uint64_t below) {
  return std::uniform_int_distribution<std::uint64_t>(0, below - 1)(random_);
}

// --- faults ---

IOStatus TestDisk::pass(DiskOperation call, const std::string& path) {
  if ((static_cast<unsigned>(call) & fault_.calls) == 0) return IOStatus::OK();
  const std::uint64_t number = ++report_.calls;
  if (fault_.nth == 0 || number < fault_.nth) return IOStatus::OK();
  if (number > fault_.nth && !fault_.is_sticky) return IOStatus::OK();
  ++report_.failures;
  if (!fault_.is_no_space || call == DiskOperation::read) return IOStatus::IOError("on cue", path);
  IOStatus status = IOStatus::NoSpace("on cue", path);
  status.SetRetryable(true);
  return status;
}

IOStatus TestDisk::pass_sync(const std::string& path, State* state) {
  if (state != nullptr && state->has_failed_sync) ++report_.syncs_retried;
  IOStatus status = pass(DiskOperation::sync, path);
  if (!status.ok()) {
    if (state != nullptr) state->has_failed_sync = true;
    return status;
  }
  ++report_.syncs;
  if (is_at_power_loss() && is_before_) lose_power();
  return status;
}

void TestDisk::after_sync() {
  if (is_at_power_loss()) lose_power();
}

// --- files ---

IOStatus TestDisk::NewSequentialFile(const std::string& path, const Options& options,
                                     std::unique_ptr<rocksdb::FSSequentialFile>* file,
                                     Context* context) {
  const auto read = [this, path] {
    const std::lock_guard lock(mutex_);
    return pass(DiskOperation::read, path);
  };
  IOStatus status = read();
  if (status.ok()) status = FileSystemWrapper::NewSequentialFile(path, options, file, context);
  if (status.ok()) *file = std::make_unique<TestSequential>(std::move(*file), read);
  return status;
}

IOStatus TestDisk::NewRandomAccessFile(const std::string& path, const Options& options,
                                       std::unique_ptr<rocksdb::FSRandomAccessFile>* file,
                                       Context* context) {
  const auto read = [this, path] {
    const std::lock_guard lock(mutex_);
    return pass(DiskOperation::read, path);
  };
  IOStatus status = read();
  if (status.ok()) status = FileSystemWrapper::NewRandomAccessFile(path, options, file, context);
  if (status.ok()) *file = std::make_unique<TestRandomAccess>(std::move(*file), read);
  return status;
}

IOStatus TestDisk::NewWritableFile(const std::string& given, const Options& options,
                                   std::unique_ptr<rocksdb::FSWritableFile>* file,
                                   Context* context) {
  const std::string path = clean(given);
  const std::lock_guard lock(mutex_);
  IOStatus status = pass(DiskOperation::open, path);
  if (!status.ok()) return status;
  const std::string saved = fs::exists(path) ? save(path) : std::string();
  if (!saved.empty()) fs::remove(path);  // otherwise the saved file would be truncated, too
  status = FileSystemWrapper::NewWritableFile(path, options, file, context);
  if (!status.ok()) return status;
  changes_.push_back({FileChange::Kind::make, path, {}, saved});
  files_[path] = State();
  *file = std::make_unique<TestFile>(*this, path, std::move(*file));
  return status;
}

IOStatus TestDisk::ReopenWritableFile(const std::string& given, const Options& options,
                                      std::unique_ptr<rocksdb::FSWritableFile>* file,
                                      Context* context) {
  const std::string path = clean(given);
  const std::lock_guard lock(mutex_);
  IOStatus status = pass(DiskOperation::open, path);
  if (!status.ok()) return status;
  if (!fs::exists(path)) changes_.push_back({FileChange::Kind::make, path, {}, {}});
  status = FileSystemWrapper::ReopenWritableFile(path, options, file, context);
  if (!status.ok()) return status;
  const std::uint64_t size = fs::file_size(path);
  files_[path] = State{.size = size, .synced_size = size};
  *file = std::make_unique<TestFile>(*this, path, std::move(*file));
  return status;
}

IOStatus TestDisk::NewRandomRWFile(const std::string& given, const Options& options,
                                   std::unique_ptr<rocksdb::FSRandomRWFile>* file,
                                   Context* context) {
  const std::string path = clean(given);
  const std::lock_guard lock(mutex_);
  IOStatus status = pass(DiskOperation::open, path);
  if (!status.ok()) return status;
  status = FileSystemWrapper::NewRandomRWFile(path, options, file, context);
  if (!status.ok()) return status;
  files_[path] = State{.synced_text = text_of(path), .is_in_place = true};
  *file = std::make_unique<TestSlots>(*this, path, std::move(*file));
  return status;
}

IOStatus TestDisk::NewDirectory(const std::string& path, const IOOptions& options,
                                std::unique_ptr<rocksdb::FSDirectory>* directory,
                                Context* context) {
  const IOStatus status = FileSystemWrapper::NewDirectory(path, options, directory, context);
  if (status.ok()) {
    *directory = std::make_unique<TestDirectory>(*this, clean(path), std::move(*directory));
  }
  return status;
}

IOStatus TestDisk::RenameFile(const std::string& given, const std::string& given_to,
                              const IOOptions& options, Context* context) {
  const std::string from = clean(given), to = clean(given_to);
  const std::lock_guard lock(mutex_);
  IOStatus status = pass(DiskOperation::rename, to);
  if (!status.ok()) return status;
  const std::string saved = fs::exists(to) ? save(to) : std::string();
  status = FileSystemWrapper::RenameFile(from, to, options, context);
  if (!status.ok()) return status;
  changes_.push_back({FileChange::Kind::rename, to, from, saved});
  if (auto state = files_.extract(from)) {
    files_.erase(to);
    state.key() = to;
    files_.insert(std::move(state));
  }
  return status;
}

IOStatus TestDisk::DeleteFile(const std::string& given, const IOOptions& options,
                              Context* context) {
  const std::string path = clean(given);
  const std::lock_guard lock(mutex_);
  IOStatus status = pass(DiskOperation::remove, path);
  if (!status.ok()) return status;
  const std::string saved = fs::exists(path) ? save(path) : std::string();
  status = FileSystemWrapper::DeleteFile(path, options, context);
  if (!status.ok()) return status;
  changes_.push_back({FileChange::Kind::remove, path, {}, saved});
  files_.erase(path);
  return status;
}

// Keeps the file at the path under another name, with its state, because it may have to be
// restored.
std::string TestDisk::save(const std::string& path) {
  std::string saved = lost_and_found_ + "/" + std::to_string(++saved_);
  fs::create_hard_link(path, saved);
  if (const auto state = files_.find(path); state != files_.end()) files_[saved] = state->second;
  return saved;
}

void TestDisk::directory_synced(const std::string& path) {
  std::erase_if(changes_, [&](const FileChange& change) {
    if (directory_of(change.path) != path) return false;
    if (!change.saved.empty()) {
      fs::remove(change.saved);
      files_.erase(change.saved);
    }
    return true;
  });
}

// --- a loss of power ---

void TestDisk::take_back(const FileChange& change) {
  switch (change.kind) {
    case FileChange::Kind::make: fs::remove(change.path); break;
    case FileChange::Kind::rename: fs::rename(change.path, change.from); break;
    case FileChange::Kind::remove: break;
  }
  if (!change.saved.empty()) {
    fs::rename(change.saved, change.path);
    // Its unsynced bytes are lost as in any other file.
    if (const auto state = files_.find(change.saved); state != files_.end()) {
      tear(change.path, state->second);
    }
  }
}

// All unsynced bytes are lost, or a part, or a part becomes zeros. Zeros occur only in the log of
// writes: RocksDB treats a manifest with zeros at its end as damaged, and file systems that write
// data before the size leave no zeros in so small a file.
void TestDisk::tear(const std::string& path, const State& state) {
  if (!fs::exists(path)) return;
  if (state.is_in_place) {
    const std::string now = text_of(path);
    if (draw(2) == 0) return;
    std::string torn = state.synced_text;
    if (draw(2) == 0 && torn.size() == now.size()) {
      const std::uint64_t at = draw(now.size() + 1);
      torn = now.substr(0, at) + torn.substr(at);
    }
    std::ofstream(path, std::ios::binary | std::ios::trunc) << torn;
    return;
  }
  const std::uint64_t size = fs::file_size(path);
  if (size <= state.synced_size) return;
  const std::uint64_t unsynced = size - state.synced_size;
  const std::uint64_t kept = state.synced_size + (draw(3) == 0 ? 0 : draw(unsynced + 1));
  fs::resize_file(path, kept);
  if (path.ends_with(".log") && draw(3) == 0) fs::resize_file(path, size);  // zeros
}

void TestDisk::lose_power() {
  for (const auto& [path, state] : files_) {
    if (directory_of(path) != lost_and_found_) tear(path, state);
  }
  // A file system writes its changes in order, so the last ones are lost.
  const std::uint64_t kept = draw(3) == 0 ? draw(changes_.size() + 1) : 0;
  while (changes_.size() > kept) {
    take_back(changes_.back());
    changes_.pop_back();
  }
  _exit(power_lost);
}

}  // namespace mayfly::crash
