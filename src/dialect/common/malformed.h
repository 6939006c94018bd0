// Rows of a dialect's own data that cannot be read: reported once each, counted, and skipped by
// whoever meets them.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "db/catalog.h"
#include "db/document.h"

namespace mayfly {

// Threads: any.
void report_malformed(const Collection& collection, const Document& row, const Error& why);
// How many have been reported, in this process.
std::uint64_t malformed_rows();

}  // namespace mayfly
