// The dialect of a document service with accounts, databases, containers and documents (REST and
// SQL). An account is this server, a container a collection. What is offered, and what differs,
// stands in docs/dialects/cosmos.md.
#pragma once

#include <memory>

#include "dialect/dialect.h"

namespace mayfly {

std::unique_ptr<Dialect> make_cosmos(const Services& services);
// The same with no thread of its own: what is left of dead attachments stays.
std::unique_ptr<Dialect> make_cosmos_without_collector(const Services& services);

}  // namespace mayfly
