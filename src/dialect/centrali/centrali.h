// Centrali: the dialect of a hosted backend with structures (collections) of records. A workspace
// is a database, a structure a collection, a record a document. docs/dialects/centrali.md lists
// what is offered and what differs.
#pragma once

#include <memory>

#include "dialect/centrali/webhooks/target.h"
#include "dialect/dialect.h"

namespace mayfly {

struct CentraliOptions;  // options.h
struct DialectRow;       // dialect/row.h

// The row by which the server knows the dialect.
DialectRow centrali_dialect();
// With the options of the settings, or with these.
std::unique_ptr<Dialect> make_centrali(const Services& services);
// `send` starts the calls to webhooks and the requests of functions; if it is empty, net::Caller
// makes them.
std::unique_ptr<Dialect> make_centrali(const Services& services, CentraliOptions options,
                                       centrali::SendCall send = {});

}  // namespace mayfly
