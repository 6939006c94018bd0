// Budget: what one run of a query may take, and what it has taken. Threads: one at a time.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/limits.h"
#include "base/result.h"
#include "expr/evaluation/meter.h"

namespace mayfly::query {

struct Budget {
  Meter& meter;
  std::size_t rows_held = 0;  // by operators that must see all rows before they give one
  std::size_t bytes_held = 0;
  std::size_t rows_read = 0;  // rows and index entries looked at, visible or not
  std::size_t documents_read = 0;
  std::size_t documents_passed = 0;  // what their access path was left to ask of them
  std::size_t bytes_read = 0;        // the bodies of documents_read

  // A row is kept. Fails with too_large over limits::sort_rows_max or query_bytes_max; `what` keeps
  // it.
  Result<void> hold(std::size_t bytes, std::string_view what);
  // One more row's bytes for something that is already held.
  Result<void> grow(std::size_t bytes, std::string_view what);
  void release(std::size_t rows, std::size_t bytes) {
    rows_held -= rows;
    bytes_held -= bytes;
  }
};

}  // namespace mayfly::query
