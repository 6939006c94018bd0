// The dialect of a document service with accounts, databases, containers and documents (REST and
// SQL). An account is this server, a container is a collection. docs/dialects/cosmos.md lists what
// is offered and what differs.
//
// "Source: spec cosmos.md, section N" in a file of this folder names the notes on the service's
// protocol that the file was written from. They are not part of the repository.
#pragma once

#include <memory>

#include "dialect/dialect.h"

namespace mayfly {

struct CosmosOptions;  // options.h
struct DialectRow;     // dialect/row.h

// The row by which the server knows the dialect.
DialectRow cosmos_dialect();
// Makes the dialect with the options of the settings, or with these. What `services` refers to
// outlives it.
std::unique_ptr<Dialect> make_cosmos(const Services& services);
std::unique_ptr<Dialect> make_cosmos(const Services& services, const CosmosOptions& options);

}  // namespace mayfly
