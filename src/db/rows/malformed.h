// Rows of a dialect's own data that cannot be read. Each is reported once, counted, and skipped by
// its readers.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "db/catalog/catalog.h"
#include "db/rows/document.h"

namespace mayfly {

// The error for a row whose member does not hold what this version writes there.
tl::unexpected<Error> not_as_written(std::string_view member);

// Only the first thousand in a process are reported. Threads: any.
void report_malformed(const Collection& collection, const Document& row, const Error& why);
// How many have been reported in this process.
std::uint64_t malformed_rows();

}  // namespace mayfly
