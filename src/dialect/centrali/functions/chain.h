// Chains: functions that run because other functions wrote. In the transaction of each of its
// writes, a function also stores the length of the chain and the run that began it. The row is
// found by the instant of the commit, which all events of the commit have.
#pragma once

#include <cstdint>
#include <string>

#include "db/private_table.h"

namespace mayfly::centrali {

struct ChainLink {
  std::int64_t depth = 0;  // of the run that wrote
  std::string root = {};  // the id of the run that began the chain; empty in rows of older versions

  static PrivateSpec table();
  static Result<ChainLink> decode(const Document& document);
  Result<Value> encode() const { return Value(Object{{"depth", depth}, {"root", root}}); }
};

Result<void> put_chain_link(Transaction& transaction, DatabaseId workspace, std::string id,
                            const ChainLink& link);
// The link of the run that made the commit at that instant; of depth 0 if no run did.
Result<ChainLink> find_chain_link(View& view, DatabaseId workspace, Instant committed_at);

}  // namespace mayfly::centrali
