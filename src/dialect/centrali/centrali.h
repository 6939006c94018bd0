// Centrali: the dialect of a hosted backend with structures (collections) of records. A workspace
// is a database, a structure a collection, a record a document. What is offered, and what differs,
// stands in docs/dialects/centrali.md.
#pragma once

#include <memory>

#include "dialect/dialect.h"

namespace mayfly {

struct CentraliOptions;  // options.h
struct DialectRow;       // dialect/row.h

// What it brings to the server.
DialectRow centrali_dialect();
// As the settings say, or as these options do.
std::unique_ptr<Dialect> make_centrali(const Services& services);
std::unique_ptr<Dialect> make_centrali(const Services& services, CentraliOptions options);
// The same, but what is to be delivered to webhooks is left to somebody else.
std::unique_ptr<Dialect> make_centrali_without_postman(const Services& services,
                                                       CentraliOptions options);

}  // namespace mayfly
