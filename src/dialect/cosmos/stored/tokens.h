// Resource tokens: a token grants the rights of a permission for a limited time. Source: spec
// cosmos.md, sections 3.2 and 23.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dialect/cosmos/call.h"
#include "dialect/cosmos/containers/keys/partition_key.h"
#include "value/value.h"

namespace mayfly::cosmos {

struct Route;  // requests/routes.h

// The rights of a token.
struct Grant {
  std::string resource;  // a link by names or rids, as the permission has it
  bool may_write = false;
  std::optional<std::string> partition_key;  // as a header would say it
  // The rid of the container or database that the link named when the token was issued; a later one
  // of the same name is another. Nothing: there was none.
  std::optional<Bytes> rid;
  // An instant at which the document or script existed: that of issuing the token. One created
  // later under the same name is another. Nothing: there was none, or the link names another kind.
  std::optional<Instant> existed_at;
  Instant until;
};

// The token of a permission, as clients send it. It is valid for the seconds in the request's
// header x-ms-documentdb-expiry-seconds, or for an hour.
std::string issue_token(const CosmosCall& call, const Value& permission);
// Fails with invalid if the partition key of a permission is not a key, or a prefix of one, of its
// container.
Result<void> check_granted_key(const CosmosCall& call, const Catalog& catalog,
                               const Value& permission);
// Fails with invalid if the header x-ms-documentdb-expiry-seconds is out of its bounds.
Result<void> check_token_seconds(const CosmosCall& call);

// Fails with unauthenticated for a token that this server has not issued, forbidden for an expired
// one.
Result<Grant> verify_token(std::string_view signature, const AccountKeys& keys, Instant now);
// Fails with forbidden if the grant does not cover the address or the operation. It changes the
// call: from then on the call finds no other container or database of that name. The action still
// calls check_same_resource() for what it finds. A token for a resource in a container also grants
// reading the container's definition and ranges. No token covers users and permissions, because
// reading a permission issues a new token.
Result<void> check_grant(const Grant& grant, CosmosCall& call, const Route& route);
// Checks a document or script that an action has found, because another one of that name may have
// been created since check_grant(). Fails with forbidden if the request's token is for another one.
Result<void> check_same_resource(const CosmosCall& call, Instant created_at);
// Checks a document that was not found by the header, which check_grant() has checked. Fails with
// forbidden if the request's token is for one partition key with another routing.
Result<void> check_granted_partition(const CosmosCall& call, const PartitionKey& key,
                                     BytesView routing);

}  // namespace mayfly::cosmos
