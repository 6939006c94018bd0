// Removes the secrets of keys and tokens whose database is gone, whichever API dropped it. They
// open nothing from then on (authenticate.h), so this is done in the background.
#pragma once

#include "db/database.h"
#include "db/jobs/jobs.h"

namespace mayfly::fauna {

// Threads: that of its job. It outlives the job's handle.
class LostSecrets {
 public:
  explicit LostSecrets(Database& database) : database_(database) {}

  JobSpec job();

 private:
  // Looks through all secrets where the catalog has changed since the last whole pass.
  Result<void> pass(const JobRun& run);

  Database& database_;
  CatalogPtr seen_;  // that of the last whole pass
};

}  // namespace mayfly::fauna
