// Queries of what is no document: databases, containers, offers, users … They are few, so they are
// made into values first.
#pragma once

#include <vector>

#include "db/view.h"
#include "dialect/cosmos/call.h"
#include "value/value.h"

namespace mayfly::cosmos {

// Answers the request's query over these, each as it is told.
Result<net::Response> query_resources(Call& call, ResourceKind kind, BytesView owner_rid,
                                      const std::vector<std::string>& told);
// The same at the instant of the view that they were found on.
Result<net::Response> query_resources(Call& call, ResourceKind kind, BytesView owner_rid,
                                      const std::vector<std::string>& told, View& view);

// All of them, in pages; the request is a feed's.
Result<net::Response> list_resources(Call& call, ResourceKind kind, BytesView owner_rid,
                                     const std::vector<std::string>& told);

}  // namespace mayfly::cosmos
