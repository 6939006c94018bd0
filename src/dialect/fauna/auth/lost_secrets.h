// Removes the secrets of keys and tokens whose database is gone, whichever API dropped it. They
// open nothing from then on (authenticate.h), so this is done in the background.
#pragma once

#include <optional>

#include "db/database.h"
#include "db/jobs/jobs.h"

namespace mayfly::fauna {

// Threads: that of its job. It outlives the job's handle.
class LostSecrets {
 public:
  explicit LostSecrets(Database& database) : database_(database) {}

  JobSpec job();

 private:
  // The databases of a server, as far as it matters whether one has gone: ids only grow.
  struct Seen {
    DatabaseId greatest = 0;
    std::size_t count = 0;
    bool operator==(const Seen&) const = default;
  };
  static Seen seen_in(const Catalog& catalog);

  // Looks through all secrets where databases have come or gone since the last whole pass.
  Result<void> pass(const JobRun& run);

  Database& database_;
  std::optional<Seen> seen_;  // by the last whole pass
};

}  // namespace mayfly::fauna
