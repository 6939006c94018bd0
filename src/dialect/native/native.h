// The native dialect: a REST API to all functions of the database, for Mayfly's own clients
// (console, command line) and for clients without a dialect of their own. docs/dialects/native.md
// documents each answer.
#pragma once

#include <memory>

#include "dialect/dialect.h"

namespace mayfly {

struct DialectRow;  // dialect/row.h

// The row of the dialect for the server.
DialectRow native_dialect();
// `services` and what it refers to outlive the dialect. Threads: any.
std::unique_ptr<Dialect> make_native(const Services& services);

}  // namespace mayfly
