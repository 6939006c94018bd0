// Headers with the cost of a query, if the request asks for them. Source: spec cosmos.md, section
// 14.
#pragma once

#include <cstddef>

#include "base/clock.h"
#include "dialect/cosmos/call.h"
#include "dialect/cosmos/containers/container.h"
#include "query/run.h"

namespace mayfly::cosmos {

struct QueryTimes {
  Span compiling;
  Span running;
  Span writing;  // of the answer
};

// Adds the requested headers. `bytes` is the size of the answer as far as its last row.
void add_metrics(const CosmosCall& call, const Container& container, const query::RowsPage& page,
                 const QueryTimes& times, std::size_t bytes, net::Response& response);

}  // namespace mayfly::cosmos
