// The native dialect: a REST API over everything the database can do, for clients of our own
// (console, command line) and for whoever has no other dialect to speak. docs/dialects/native.md
// says what each answer means.
#pragma once

#include <memory>

#include "dialect/dialect.h"

namespace mayfly {

struct DialectRow;  // dialect/row.h

// What it brings to the server.
DialectRow native_dialect();
// `services` and what it refers to outlive the dialect. Threads: any.
std::unique_ptr<Dialect> make_native(const Services& services);

}  // namespace mayfly
