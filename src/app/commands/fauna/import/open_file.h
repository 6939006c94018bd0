// A file of an export, open for a DocumentReader.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "app/commands/fauna/import/document_reader.h"
#include "base/result.h"

namespace mayfly::app {

class OpenFile {
 public:
  explicit OpenFile(const std::string& path)
      : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  bool is_open() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }

 private:
  const int descriptor_;
};

// The error after a failed open.
inline tl::unexpected<Error> fail_to_read(const std::string& path) {
  return fail(Code::invalid, "reading " + path + ": " + std::strerror(errno));
}

inline DocumentReader::Layout layout_of(const std::string& path) {
  return path.ends_with(".json") ? DocumentReader::Layout::any : DocumentReader::Layout::one_a_line;
}

}  // namespace mayfly::app
