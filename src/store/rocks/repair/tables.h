// Unreadable tables: removes them from the list of tables, and saves their readable rows.
#pragma once

#include <string>
#include <vector>

#include "store/repair.h"

namespace rocksdb {
class DB;
}

namespace mayfly::store {

// Removes them from the list, and deletes them. No process may have the directory open.
Result<void> drop_tables(const std::string& directory, const std::vector<DamagedTable>& tables);

// Copies to `after`, which lacks the tables, the rows that `before`, which has them, can still
// read: each key gets the value that it had, or none if it had none. If `before` cannot read a key,
// the newest row in any table counts.
Result<void> save_rows(rocksdb::DB& before, rocksdb::DB& after, const std::string& directory_before,
                       const std::vector<DamagedTable>& tables, RepairResult& repaired);

}  // namespace mayfly::store
