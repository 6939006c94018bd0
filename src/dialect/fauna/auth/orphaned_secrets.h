// Removes the secrets of keys and tokens whose database was dropped, by whichever API. Such secrets
// grant no access any more (authenticate.h), so they can be removed in the background.
#pragma once

#include <optional>

#include "db/database.h"
#include "db/jobs/jobs.h"

namespace mayfly::fauna {

// Threads: the thread of its job. It must outlive the job's handle.
class OrphanedSecrets {
 public:
  explicit OrphanedSecrets(Database& database) : database_(database) {}

  JobSpec job();

 private:
  // A fingerprint of the server's set of databases. Ids only grow, so it differs once one has been
  // created or dropped.
  struct Snapshot {
    DatabaseId greatest = 0;
    std::size_t count = 0;
    bool operator==(const Snapshot&) const = default;
  };
  static Snapshot fingerprint_of(const Catalog& catalog);

  // Checks all secrets if databases were created or dropped since the last complete scan.
  Result<void> scan(const JobRun& run);

  Database& database_;
  std::optional<Snapshot> seen_;  // at the last complete scan
};

}  // namespace mayfly::fauna
