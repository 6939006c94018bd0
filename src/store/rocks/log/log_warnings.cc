#include "store/rocks/log/log_warnings.h"

#include <rocksdb/env.h>

#include <cstdarg>
#include <cstdio>
#include <utility>

namespace mayfly::store {
namespace {

constexpr std::size_t lines_max = 8;
constexpr std::size_t line_bytes_max = 512;

class WarningLogger final : public rocksdb::Logger {
 public:
  WarningLogger(std::shared_ptr<rocksdb::Logger> file, std::shared_ptr<LogWarnings> warnings)
      : file_(std::move(file)), warnings_(std::move(warnings)) {}
  ~WarningLogger() override { Close().PermitUncheckedError(); }

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
      warnings_->add(line);
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
  const std::shared_ptr<LogWarnings> warnings_;
};

}  // namespace

void LogWarnings::add(std::string line) {
  const std::lock_guard lock(mutex_);
  if (lines_.size() == lines_max) lines_.pop_front();
  lines_.push_back(std::move(line));
}

std::string LogWarnings::text() const {
  const std::lock_guard lock(mutex_);
  std::string all;
  for (const std::string& line : lines_) all += line + "\n";
  return all;
}

std::shared_ptr<rocksdb::Logger> capturing_logger(std::shared_ptr<rocksdb::Logger> file,
                                                  std::shared_ptr<LogWarnings> warnings) {
  return std::make_shared<WarningLogger>(std::move(file), std::move(warnings));
}

}  // namespace mayfly::store
