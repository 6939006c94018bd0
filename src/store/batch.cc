#include "store/batch.h"

#include <fmt/format.h>

namespace mayfly::store {
namespace {

Result<void> within(std::size_t size, std::size_t size_max, const char* what) {
  if (size <= size_max) return {};
  return fail(Code::too_large,
              fmt::format("{} of {} is over the limit of {}", what, size, size_max));
}

}  // namespace

Result<void> fits(const CommitBatch& batch, const Limits& limits) {
  std::size_t bytes = 0;
  for (const Put& put : batch.puts) {
    TRY(within(put.key.size(), limits.key_bytes_max, "a key's size"));
    TRY(within(put.value.size(), limits.value_bytes_max, "a value's size"));
    bytes += put.key.size() + put.value.size();
  }
  for (const Bytes& key : batch.removals) {
    TRY(within(key.size(), limits.key_bytes_max, "a key's size"));
    bytes += key.size();
  }
  TRY(within(bytes, limits.commit_bytes_max, "a commit's size"));
  return within(batch.puts.size() + batch.removals.size(), limits.commit_rows_max,
                "a commit's number of rows");
}

}  // namespace mayfly::store
