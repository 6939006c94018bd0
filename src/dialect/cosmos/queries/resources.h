// Lists and queries of what is no document: databases, containers, offers, users …
#pragma once

#include <functional>
#include <vector>

#include "db/read/view.h"
#include "dialect/cosmos/call.h"
#include "value/value.h"

namespace mayfly::cosmos {

// Appends a resource, by its place in the list, as it is answered.
using RenderOne = std::function<Result<void>(std::size_t, std::string&)>;

// All of them, in pages; the request is a feed's. Only those of the page are rendered. Fails with
// timed_out, as the next.
Result<net::Response> list_resources(Call& call, ResourceKind kind, BytesView owner_rid,
                                     std::size_t count, const RenderOne& render);

// Answers the request's query over these. They are made into values first: fails with too_large
// where they hold more than limits::query_bytes_max.
Result<net::Response> query_resources(Call& call, ResourceKind kind, BytesView owner_rid,
                                      std::size_t count, const RenderOne& render);
// The same at the instant of the view that they were found on.
Result<net::Response> query_resources(Call& call, ResourceKind kind, BytesView owner_rid,
                                      const std::vector<std::string>& rendered, View& view);

}  // namespace mayfly::cosmos
