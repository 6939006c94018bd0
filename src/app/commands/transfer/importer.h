// Importer: lines of an export, written to a server in transactions.
//
// Lines are written in their order; each batch is all or nothing. A broken line ends the import
// with everything before it written and nothing from it on; or, where the import is to go on, it is
// told of and left out. Who is dead by now is counted and not written.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/commands/remote.h"
#include "app/commands/transfer/document_line.h"
#include "base/clock.h"
#include "base/result.h"

namespace mayfly::app {

struct ImportCounts {
  std::uint64_t created = 0;
  std::uint64_t replaced = 0;
  std::uint64_t dead = 0;        // ended before they could be written
  std::uint64_t broken = 0;      // lines left out
  std::uint64_t stopped_at = 0;  // the line that ended the import; 0: none has
};

enum class OnBroken { stop, leave_out };

class Importer {
 public:
  // Called for each broken line, with its number.
  using Report = std::function<void(std::uint64_t line, const std::string& reason)>;

  struct Target {
    Remote remote;
    std::string database;
    std::string collection;
  };
  Importer(Target target, OnBroken on_broken, Report report)
      : target_(std::move(target)), on_broken_(on_broken), report_(std::move(report)) {}

  // Reads the server's clock. First of all.
  Result<void> begin();
  // Each fails where the import ends.
  Result<void> add(std::uint64_t number, std::string_view text);
  Result<void> add_broken(std::uint64_t number, const Error& why);
  Result<void> finish() { return flush(); }

  const ImportCounts& counts() const { return counts_; }

 private:
  struct Line {
    std::uint64_t number;
    std::string operation;
    bool has_end;
    std::optional<DocumentLine::Hold> hold;
  };
  Result<void> flush();
  Result<void> send();
  Result<void> set_holds();
  Result<void> take_out(std::size_t place, const Error& why);

  const Target target_;
  const OnBroken on_broken_;
  const Report report_;
  Instant now_ = Instant::beginning();  // of the server, as last told
  std::vector<Line> batch_;
  std::size_t batch_bytes_ = 0;
  ImportCounts counts_;
};

}  // namespace mayfly::app
