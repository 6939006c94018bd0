// Users, permissions, client encryption keys and scripts: small resources that are not documents of
// a container. They are stored in a private table of their database, beside its offers, routed by
// owner and kind. Source: spec cosmos.md, sections 5, 23 and 24.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "db/private_table.h"
#include "dialect/cosmos/call.h"
#include "dialect/cosmos/containers/container.h"

namespace mayfly::cosmos {

// REACHES DISK: the name of that table.
inline constexpr std::string_view resources_name = "#resources";

struct StoredResource {
  DocumentKey key;           // as of stored_key()
  Object content;            // with its id
  std::uint64_t number = 0;  // the end of its rid
  Instant created_at;
  Instant changed_at;

  static PrivateSpec table() { return {.name = resources_name}; }
  static bool is_row(const Document& document);  // it is no offer
  static Result<StoredResource> decode(const Document& document);
  Result<Value> encode() const { return Value(content); }
};
using Resources = PrivateTable<StoredResource>;

// The owner of a stored resource: a container, a database or a user.
struct Owner {
  DatabaseInfoPtr database;
  Bytes rid;
  std::string self_link;  // with the slash at its end
};
// Stored procedures, triggers, functions.
bool is_script(ResourceKind kind);

// The owner of the resource or feed that the call's address names. Fails with not_found.
Result<Owner> find_owner(CosmosCall& call, const Catalog& catalog, View& view);

DocumentKey stored_key(ResourceKind kind, BytesView owner_rid, std::string id);

// The resource that the address names, by name or rid. Fails with not_found, and with forbidden if
// the request's token is for an earlier one.
Result<StoredResource> find_stored(const CosmosCall& call, const Owner& owner, View& view);
// All resources of a kind that an owner has, in the order of their names.
Result<std::vector<StoredResource>> list_stored(const DatabaseInfo& database, ResourceKind kind,
                                                BytesView owner_rid, View& view);
// Removes all resources of an owner that has been removed, also offers and unreadable rows, in as
// many commits as needed.
Result<void> drop_stored(CosmosCall& call, const DatabaseInfo& database, BytesView owner_rid);

// The number for the rid of a new resource. No two living users of a database have the same number.
// Nor has an earlier user left rows under it, because permissions are stored under it.
Result<std::uint64_t> new_number(CosmosCall& call, ResourceKind kind, const Owner& owner,
                                 Transaction& transaction);
Bytes rid_of_stored(ResourceKind kind, const Owner& owner, const StoredResource& resource);
void render_stored(const CosmosCall& call, ResourceKind kind, const Owner& owner,
                   const StoredResource& resource, std::string& out);

// Checks a body that a client sends for a resource of that kind, and returns it as it is stored.
// Fails with invalid.
Result<Object> check_stored(ResourceKind kind, const Value& body);

}  // namespace mayfly::cosmos
