#include "store/rocks/log/lines.h"

#include <rocksdb/env.h>

#include <cstdarg>
#include <cstdio>
#include <utility>

namespace mayfly::store {
namespace {

constexpr std::size_t lines_max = 8;
constexpr std::size_t line_bytes_max = 512;

class Listener final : public rocksdb::Logger {
 public:
  Listener(std::shared_ptr<rocksdb::Logger> file, std::shared_ptr<Complaints> complaints)
      : file_(std::move(file)), complaints_(std::move(complaints)) {}
  ~Listener() override { Close().PermitUncheckedError(); }

  using rocksdb::Logger::Logv;

  void Logv(const char* format, va_list arguments) override {
    if (file_) file_->Logv(format, arguments);
  }

  void Logv(const rocksdb::InfoLogLevel level, const char* format, va_list arguments) override {
    if (level == rocksdb::WARN_LEVEL || level == rocksdb::ERROR_LEVEL ||
        level == rocksdb::FATAL_LEVEL) {
      char line[line_bytes_max];
      va_list copy;
      va_copy(copy, arguments);
      std::vsnprintf(line, sizeof line, format, copy);
      va_end(copy);
      complaints_->add(line);
    }
    if (file_) file_->Logv(level, format, arguments);
  }

  void LogHeader(const char* format, va_list arguments) override {
    if (file_) file_->LogHeader(format, arguments);
  }

  void Flush() override {
    if (file_) file_->Flush();
  }

  std::size_t GetLogFileSize() const override {
    return file_ ? file_->GetLogFileSize() : kDoNotSupportGetLogFileSize;
  }

 protected:
  rocksdb::Status CloseImpl() override { return file_ ? file_->Close() : rocksdb::Status::OK(); }

 private:
  const std::shared_ptr<rocksdb::Logger> file_;
  const std::shared_ptr<Complaints> complaints_;
};

}  // namespace

void Complaints::add(std::string line) {
  const std::lock_guard lock(mutex_);
  if (lines_.size() == lines_max) lines_.pop_front();
  lines_.push_back(std::move(line));
}

std::string Complaints::text() const {
  const std::lock_guard lock(mutex_);
  std::string all;
  for (const std::string& line : lines_) all += line + "\n";
  return all;
}

std::shared_ptr<rocksdb::Logger> listening_logger(std::shared_ptr<rocksdb::Logger> file,
                                                  std::shared_ptr<Complaints> complaints) {
  return std::make_shared<Listener>(std::move(file), std::move(complaints));
}

}  // namespace mayfly::store
