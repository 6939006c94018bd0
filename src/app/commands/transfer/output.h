// Output: the destination of a command's lines. A file gets its name only when it is complete and
// on disk.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "base/result.h"

namespace mayfly::app {

class Output {
 public:
  // "-" is standard output. All members fail with internal.
  static Result<Output> open(const std::string& path);

  Result<void> write(const std::string& text);
  Result<void> finish();

 private:
  struct Close {
    void operator()(std::FILE* file) const;
  };
  Output(std::string path, std::string draft, std::FILE* file);

  std::string path_;
  std::string draft_;
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace mayfly::app
