#include "db/rows/malformed.h"

#include <mutex>
#include <set>
#include <string>
#include <tuple>

#include "base/service/logging.h"

namespace mayfly {
namespace {

// So that each row is logged once; after that many no more are logged.
constexpr std::size_t remembered_max = 1'000;

using MalformedRow = std::tuple<CollectionId, Bytes, Instant>;

struct Reported {
  std::mutex mutex;
  std::set<MalformedRow> rows;
  std::uint64_t count = 0;
};
Reported& reported() {
  static Reported all;
  return all;
}

}  // namespace

tl::unexpected<Error> not_as_written(std::string_view member) {
  return fail(Code::corrupt, "\"" + std::string(member) + "\" is not what was written there");
}

void report_malformed(const Collection& collection, const Document& row, const Error& why) {
  Reported& all = reported();
  {
    const std::lock_guard lock(all.mutex);
    if (all.rows.size() >= remembered_max) return;
    const bool is_new =
        all.rows.emplace(collection.id, Bytes(row.key), row.version.written_at).second;
    if (!is_new) return;
    ++all.count;
  }
  log(LogLevel::warn, "a row cannot be read and is skipped",
      {{"collection", collection.name}, {"id", std::string(row.id)}, {"error", why.message}});
}

std::uint64_t malformed_rows() {
  Reported& all = reported();
  const std::lock_guard lock(all.mutex);
  return all.count;
}

}  // namespace mayfly
