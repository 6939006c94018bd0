// Writes a temporary file beside the destination, and renames it at the end.
#include "app/commands/transfer/output.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace mayfly::app {
namespace {

tl::unexpected<Error> failed(const std::string& path) {
  return fail(Code::internal, "writing " + path + ": " + std::strerror(errno));
}

}  // namespace

void Output::Close::operator()(std::FILE* file) const {
  if (file != stdout) std::fclose(file);
}

Output::Output(std::string path, std::string draft, std::FILE* file)
    : path_(std::move(path)), draft_(std::move(draft)), file_(file) {}

Result<Output> Output::open(const std::string& path) {
  if (path == "-") return Output(path, path, stdout);
  const std::string draft = path + ".partial";
  std::FILE* file = std::fopen(draft.c_str(), "we");
  if (file == nullptr) return failed(draft);
  return Output(path, draft, file);
}

Result<void> Output::write(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) == text.size()) return {};
  return failed(draft_);
}

Result<void> Output::finish() {
  if (std::fflush(file_.get()) != 0) return failed(draft_);
  if (path_ == "-") return {};
  if (::fsync(::fileno(file_.get())) != 0) return failed(draft_);
  if (std::rename(draft_.c_str(), path_.c_str()) != 0) return failed(path_);
  return {};
}

}  // namespace mayfly::app
