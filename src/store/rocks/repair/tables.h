// Tables that cannot be read: taken out of the list of tables, and what can still be had of them.
#pragma once

#include <string>
#include <vector>

#include "store/repair.h"

namespace rocksdb {
class DB;
}

namespace mayfly::store {

// Takes them out of the list, and away. Nobody has the directory open.
Result<void> drop_tables(const std::string& directory, const std::vector<DamagedTable>& tables);

// Gives `after`, which lacks the tables, the rows that `before`, which has them, can still read:
// each key has the value it had, or none where it had none. Of a key of which `before` cannot
// tell, the newest that any table says holds.
Result<void> save_rows(rocksdb::DB& before, rocksdb::DB& after, const std::string& directory_before,
                       const std::vector<DamagedTable>& tables, Repaired& repaired);

}  // namespace mayfly::store
