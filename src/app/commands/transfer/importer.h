// Importer: writes lines of an export to a server in transactions.
//
// Lines are written in their order; each batch is all or nothing. A broken line ends the import:
// everything before it is written, and nothing from it on. If the import is to continue, the line
// is reported and skipped instead. Documents that have expired by now are counted and not written.
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
  std::uint64_t dead = 0;        // documents that had expired before they could be written
  std::uint64_t broken = 0;      // skipped lines
  std::uint64_t stopped_at = 0;  // number of the line that ended the import; 0: none did
};

enum class OnBroken { stop, skip };

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

  // Reads the server's clock. Must be called first.
  Result<void> begin();
  // Each fails if the import ends.
  Result<void> add(std::uint64_t number, std::string_view text);
  Result<void> add_broken(std::uint64_t number, const Error& why);
  Result<void> finish() { return flush(); }

  const ImportCounts& counts() const { return counts_; }

 private:
  struct BatchLine {
    std::uint64_t number;
    std::string operation;
    bool has_end;
    std::optional<DocumentLine::Hold> hold;
  };
  Result<void> flush();
  Result<void> send();
  Result<void> set_holds();
  Result<void> remove_line(std::size_t index, const Error& why);

  const Target target_;
  const OnBroken on_broken_;
  const Report report_;
  Instant now_ = Instant::beginning();  // the server's time, as of its last answer
  std::vector<BatchLine> batch_;
  std::size_t batch_bytes_ = 0;
  ImportCounts counts_;
};

}  // namespace mayfly::app
