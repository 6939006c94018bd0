// Resource tokens: who holds one may do what a permission says, for a while.
// Source: spec cosmos.md, sections 3.2 and 23.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dialect/cosmos/call.h"
#include "dialect/cosmos/containers/keys/partition_key.h"
#include "value/value.h"

namespace mayfly::cosmos {

// What a token allows.
struct Grant {
  std::string resource;  // a link by names or rids, as the permission has it
  bool may_write = false;
  std::optional<std::string> partition_key;  // as a header would say it
  // Of the container or database that the link led to when the token was given; a later one of its
  // name is another. Nothing: it led nowhere.
  std::optional<Bytes> rid;
  // Of a document or script: it was there then, and a later one of its name is another. Nothing: it
  // was not, or the link leads to something else.
  std::optional<Instant> was_there_at;
  Instant until;
};

// For as long as the request's x-ms-documentdb-expiry-seconds says, or an hour.
std::string issue_token(const Call& call, const Value& permission);
// Fails with invalid where the partition key of a permission is no such key, or a beginning of one,
// of what it is for.
Result<void> check_granted_key(const Call& call, const Catalog& catalog, const Value& permission);
// Fails with invalid where that header is out of its bounds.
Result<void> check_token_seconds(const Call& call);

// Fails with unauthenticated for a token that this server has not given out, forbidden for one that
// has ended.
Result<Grant> verify_token(std::string_view signature, const AccountKeys& keys, Instant now);
// Fails with forbidden where the grant is not for the address, or not for this way of using it.
// From then on the call finds no other container or database of that name, and its action asks
// check_was_there().
// Whatever lies in a container, its token also reads the container's definition and ranges.
// None is for users and permissions, whatever it says: a permission that is read gives a new token.
Result<void> check_grant(const Grant& grant, Call& call, bool is_write);
// Of a document or script as its action finds it: one of that name may have come since
// check_grant() has looked. Fails with forbidden where it has, and the request's token is for
// another.
Result<void> check_was_there(const Call& call, Instant created_at);
// Of a document found by other means than the header, which check_grant() has looked at. Fails with
// forbidden where the request's token is for one partition key, and this is not its routing.
Result<void> check_granted_partition(const Call& call, const PartitionKey& key, BytesView routing);

}  // namespace mayfly::cosmos
