#include "query/running/budget.h"

#include <fmt/format.h>

#include "base/threads/run_permit.h"

namespace mayfly::query {

Result<void> Budget::hold(std::size_t bytes, std::string_view what) {
  if (++rows_held > limits::sort_rows_max) {
    return fail(Code::too_large,
                fmt::format("A {} holds more than sort_rows_max ({}) rows; narrow the filter, take "
                            "fewer rows, or add an index that gives the order.",
                            what, limits::sort_rows_max));
  }
  return grow(bytes, what);
}

Result<void> Budget::grow(std::size_t bytes, std::string_view what) {
  bytes_held += bytes;
  if (bytes_held <= limits::query_bytes_max) {
    if (RunPermit* permit = current_run_permit()) permit->report_peak(bytes_held);
    return {};
  }
  return fail(
      Code::too_large,
      fmt::format("A {} holds more than query_bytes_max ({} bytes); narrow the filter, take "
                  "fewer rows, or add an index that gives the order.",
                  what, limits::query_bytes_max));
}

}  // namespace mayfly::query
