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
  // A fingerprint of the server's set of databases. Ids only grow, so two different sets have
  // different fingerprints. A database that is created and dropped between two scans does not show:
  // its secrets stay until the set changes again or the server restarts.
  struct Snapshot {
    DatabaseId greatest = 0;
    std::size_t count = 0;
    bool operator==(const Snapshot&) const = default;
  };
  static Snapshot fingerprint_of(const Catalog& catalog);

  // Checks all secrets if the fingerprint differs from that of the last complete scan.
  Result<void> scan(const JobRun& run);

  Database& database_;
  std::optional<Snapshot> seen_;  // at the last complete scan
};

}  // namespace mayfly::fauna
