// Users, permissions and scripts: small resources that are no documents of a container. They lie as
// documents in one internal collection of their database, routed by kind and owner; so they have
// versions, tags and conditions like every document.
// Source: spec cosmos.md, sections 5, 23 and 24.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "db/transaction.h"
#include "dialect/cosmos/call.h"
#include "dialect/cosmos/containers/container.h"
#include "query/query.h"

namespace mayfly::cosmos {

// REACHES DISK: that collection.
inline constexpr std::string_view resources_name = "#resources";

// What a stored resource lies in, found by its address.
struct Owner {
  DatabaseInfoPtr database;
  Bytes rid;
  std::string self_link;  // with the slash at its end
};
// Stored procedures, triggers, functions.
bool is_script(ResourceKind kind);

Result<Owner> find_owner(Call& call, const Catalog& catalog, View& view);

// The internal collection of a database; null pointer where nothing has been stored yet.
CollectionPtr resources_of(const Catalog& catalog, const DatabaseInfo& database);
Result<CollectionPtr> make_resources(Database& database, const DatabaseInfo& owner);

// All documents that a query is about, page by page.
Result<std::vector<Document>> read_all(const query::QueryPtr& wanted, View& view);

DocumentKey stored_key(ResourceKind kind, BytesView owner_rid, std::string id);

// The one that the address names, by name or rid. Fails with not_found, and with forbidden where
// the request's token is for an earlier one.
Result<Document> find_stored(const Call& call, const Owner& owner, View& view);
// All of a kind that an owner has, in the order of their names.
Result<std::vector<Document>> list_stored(const DatabaseInfo& database, ResourceKind kind,
                                          BytesView owner_rid, View& view);
// Takes away all that lies in an owner which is being removed.
Result<void> drop_stored(Call& call, const DatabaseInfo& database, BytesView owner_rid);

// For the rid of a new one. No two living users of a database share theirs, and what an earlier one
// has left behind is not found by it: permissions are kept by it.
Result<std::uint64_t> new_number(Call& call, ResourceKind kind, const Owner& owner,
                                 Transaction& transaction);
Bytes rid_of_stored(ResourceKind kind, const Owner& owner, const Document& document);
void render_stored(const Call& call, ResourceKind kind, const Owner& owner,
                   const Document& document, std::string& out);

// A body as it is kept: checked for its kind. Fails with invalid.
Result<Value> check_stored(ResourceKind kind, const Value& body);

}  // namespace mayfly::cosmos
