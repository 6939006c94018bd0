// The dialect of a document service with accounts, databases, containers and documents (REST and
// SQL). An account is this server, a container a collection. docs/dialects/cosmos.md lists what is
// offered and what differs.
#pragma once

#include <memory>

#include "dialect/dialect.h"

namespace mayfly {

struct CosmosOptions;  // options.h
struct DialectRow;     // dialect/row.h

// The row by which the server knows the dialect.
DialectRow cosmos_dialect();
// With the options of the settings, or with these.
std::unique_ptr<Dialect> make_cosmos(const Services& services);
std::unique_ptr<Dialect> make_cosmos(const Services& services, const CosmosOptions& options);

}  // namespace mayfly
