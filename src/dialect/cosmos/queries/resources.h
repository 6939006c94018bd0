// Lists and queries of resources that are not documents: databases, containers, offers, users …
#pragma once

#include <functional>
#include <vector>

#include "db/read/view.h"
#include "dialect/cosmos/call.h"
#include "value/value.h"

namespace mayfly::cosmos {

// Renders the resource with that index in the list.
using RenderOne = std::function<Result<void>(std::size_t, std::string&)>;

// Answers the request of a feed with a page of the resources. Only those of the page are rendered.
// Fails with timed_out, as does the next function.
Result<net::Response> list_resources(CosmosCall& call, ResourceKind kind, BytesView owner_rid,
                                     std::size_t count, const RenderOne& render);

// Answers the request's query over these resources. All are rendered first. Fails with too_large if
// they have more bytes than limits::query_bytes_max.
Result<net::Response> query_resources(CosmosCall& call, ResourceKind kind, BytesView owner_rid,
                                      std::size_t count, const RenderOne& render);
// The same at the instant of the view from which they were read.
Result<net::Response> query_resources(CosmosCall& call, ResourceKind kind, BytesView owner_rid,
                                      const std::vector<std::string>& rendered, View& view);

}  // namespace mayfly::cosmos
