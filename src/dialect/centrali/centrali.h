// Centrali: the dialect of a hosted backend with structures (collections) of records. A workspace
// is a database, a structure a collection, a record a document. What is offered, and what differs,
// stands in docs/dialects/centrali.md.
#pragma once

#include <memory>

#include "dialect/centrali/webhooks/target.h"
#include "dialect/dialect.h"

namespace mayfly {

struct CentraliOptions;  // options.h
struct DialectRow;       // dialect/row.h

// What it brings to the server.
DialectRow centrali_dialect();
// As the settings say, or as these options do.
std::unique_ptr<Dialect> make_centrali(const Services& services);
// `send` begins the calls to webhooks; without it they go out as net::Caller makes them.
std::unique_ptr<Dialect> make_centrali(const Services& services, CentraliOptions options,
                                       centrali::SendCall send = {});

}  // namespace mayfly
