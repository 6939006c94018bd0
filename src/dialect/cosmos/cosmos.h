// The dialect of a document service with accounts, databases, containers and documents (REST and
// SQL). An account is this server, a container a collection. What is offered, and what differs,
// stands in docs/dialects/cosmos.md.
#pragma once

#include <memory>

#include "dialect/dialect.h"

namespace mayfly {

struct CosmosOptions;  // options.h
struct DialectRow;     // dialect/row.h

// What it brings to the server.
DialectRow cosmos_dialect();
// As the settings say, or as these options do.
std::unique_ptr<Dialect> make_cosmos(const Services& services);
std::unique_ptr<Dialect> make_cosmos(const Services& services, const CosmosOptions& options);

}  // namespace mayfly
