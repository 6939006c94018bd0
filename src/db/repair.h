// Repairs a database after rows of it were lost (store/repair.h): everything that can be computed
// from the remaining rows is computed again, so that no answer contradicts another.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/store.h"

namespace mayfly {

struct RepairSummary {
  std::size_t collections = 0;
  std::size_t indexes = 0;  // filled again from the documents
  // Indexes that could not be filled, with the reason; they are gone.
  std::vector<std::string> dropped_indexes;
};

// Takes ownership of the store and closes it at the end; no other process or thread may use it. The
// instants of the commits continue from the newest one in the store, without the machine's clock.
// Afterwards everything is written to the store; closing makes it durable. Fails as
// Database::open().
Result<RepairSummary> mend(std::unique_ptr<store::Store> store);

// Marks the ledgers of ends of all collections as incomplete (db/ledger/ledger.h), so that the next
// start counts the documents again, and makes that durable. Returns the number of collections.
// Ownership, instants and failures are as above.
Result<std::size_t> recount(std::unique_ptr<store::Store> store);

}  // namespace mayfly
