// Budget: what one run of a query may use, and what it has used. Threads: one at a time.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/limits.h"
#include "base/result.h"
#include "expr/evaluation/meter.h"

namespace mayfly::query {

struct Budget {
  Meter& meter;
  std::size_t rows_held = 0;  // by operators that read all rows before they return one
  std::size_t bytes_held = 0;
  std::size_t rows_read = 0;          // rows and index entries looked at, visible or not
  std::size_t documents_read = 0;     // visible documents whose bodies were read
  std::size_t documents_matched = 0;  // that fulfil the residual conditions
  std::size_t bytes_read = 0;         // the bodies of documents_read

  // Counts one more row that an operator holds. Fails with too_large over limits::sort_rows_max or
  // query_bytes_max; `what` names the operator.
  Result<void> hold(std::size_t bytes, std::string_view what);
  // Counts more bytes for a row that is already held.
  Result<void> grow(std::size_t bytes, std::string_view what);
  void release(std::size_t rows, std::size_t bytes) {
    rows_held -= rows;
    bytes_held -= bytes;
  }
};

}  // namespace mayfly::query
