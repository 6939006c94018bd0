// RocksEngine: estimates the number of rows in a range from the properties of the files.
#include <rocksdb/db.h>
#include <rocksdb/table_properties.h>

#include "store/rocks/engine/engine.h"
#include "store/rocks/errors.h"

namespace mayfly::store {
namespace {

// An upper bound of all keys for RocksDB, which has no open end.
constexpr BytesView last_key{"\xff\xff\xff\xff\xff\xff\xff\xff", 8};

// Existing rows for each byte of a file, counted in files as a whole.
double rows_per_byte(const rocksdb::TablePropertiesCollection& files) {
  double rows = 0;
  double bytes = 0;
  for (const auto& [name, properties] : files) {
    // Each removal cancels itself and the row that it removes.
    rows += double(properties->num_entries) - 2 * double(properties->num_deletions);
    bytes += double(properties->data_size);
  }
  return bytes > 0 && rows > 0 ? rows / bytes : 0;
}

}  // namespace

Result<std::uint64_t> RocksEngine::estimate(BytesView lo, BytesView hi) {
  if (hi.empty()) hi = last_key;
  if (hi <= lo) return 0;
  const rocksdb::Range range({lo.data(), lo.size()}, {hi.data(), hi.size()});
  std::uint64_t buffered = 0;
  std::uint64_t buffered_bytes = 0;
  db_->GetApproximateMemTableStats(rows_, range, &buffered, &buffered_bytes);
  std::uint64_t bytes = 0;
  rocksdb::SizeApproximationOptions files_only;
  files_only.include_files = true;
  files_only.include_memtables = false;
  rocksdb::Status status = db_->GetApproximateSizes(files_only, rows_, &range, 1, &bytes);
  if (status.ok() && bytes > 0) {
    rocksdb::TablePropertiesCollection files;
    status = db_->GetPropertiesOfTablesInRange(rows_, &range, 1, &files);
    buffered += static_cast<std::uint64_t>(double(bytes) * rows_per_byte(files));
  }
  if (!status.ok()) return tl::unexpected(error_of(status, "estimating a range"));
  return buffered;
}

}  // namespace mayfly::store
