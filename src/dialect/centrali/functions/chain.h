// Chains: which functions have run because of what other functions wrote. With each of its writes a
// function leaves, in the same transaction, how long the chain has become; the row is found by the
// instant of the commit, which all events of the commit have.
#pragma once

#include <cstdint>

#include "db/private_table.h"

namespace mayfly::centrali {

struct ChainLink {
  std::int64_t depth = 0;  // of the run that wrote

  static PrivateSpec table();
  static Result<ChainLink> decode(const Document& document);
  Result<Value> encode() const { return Value(Object{{"depth", depth}}); }
};

Result<void> put_chain_link(Transaction& transaction, DatabaseId workspace, std::string id,
                            const ChainLink& link);
// Of the run that made the commit at that instant; 0 where no run did.
Result<std::int64_t> chain_depth(View& view, DatabaseId workspace, Instant committed_at);

}  // namespace mayfly::centrali
