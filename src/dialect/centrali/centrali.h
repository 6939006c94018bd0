// Centrali: the dialect of a hosted backend with structures (collections) of records. A workspace
// is a database, a structure a collection, a record a document. What is offered, and what differs,
// stands in docs/dialects/centrali.md.
#pragma once

#include <memory>

#include "dialect/dialect.h"

namespace mayfly {

struct DialectRow;  // dialect/row.h

// What it brings to the server.
DialectRow centrali_dialect();
std::unique_ptr<Dialect> make_centrali(const Services& services);
// Before any dialect serves: makes internal what earlier versions kept under names that all could
// read.
Result<void> hide_centrali_data(Database& database);
// The same, but what is to be delivered to webhooks is left to somebody else.
std::unique_ptr<Dialect> make_centrali_without_postman(const Services& services);

}  // namespace mayfly
