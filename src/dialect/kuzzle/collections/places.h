// Indexes and collections. An index is a database of the core, a collection is a collection. A
// collection created here keeps trash (which the garbage collector empties), history and a feed,
// and has its mapping as a facet. Collections of other dialects are read and written with the
// policies that they have.
#pragma once

#include "dialect/kuzzle/call.h"

namespace mayfly::kuzzle {

// The mapping of a collection created here, as JSON. Only creation sets this facet. The garbage
// collector and resetDatabase handle exactly the collections that have it.
inline constexpr std::string_view mapping_facet = "kuzzle";
// The mapping that clients have set on any other collection.
inline constexpr std::string_view added_mapping_facet = "kuzzle.mapping";
// The name of the facet with this collection's mapping.
std::string_view mapping_facet_of(const Collection& collection);
// The facet of an index created here. It tells such an index from a database of another dialect.
inline constexpr std::string_view index_facet = "kuzzle.index";
Facets index_facets();

// The collection that the request names. Both fail with not_found if the index or the collection
// does not exist; they differ in Kuzzle's error for it, one for writes and others for reads.
Result<CollectionPtr> collection_to_write(const KuzzleCall& call, const Catalog& catalog);
Result<CollectionPtr> collection_to_read(const KuzzleCall& call, const Catalog& catalog);
// The view for the request's reads. If the request includes the trashcan, the due pass of the
// garbage collector has run and the expirations in the named collection have been flushed. On an
// event loop that may fail with contended; a worker then repeats the request.
Result<View> view_of(const KuzzleCall& call);
// The same, as if the request included the trashcan.
Result<View> view_with_trash(const KuzzleCall& call);
Result<DatabaseInfoPtr> find_index(const KuzzleCall& call, const Catalog& catalog);

// The mapping that clients have set: an object.
Value mapping_of(const Collection& collection);

// Whether clients see the database as an index.
bool is_visible_index(const DatabaseInfo& database);
Result<void> check_index_name(std::string_view name);
// Generations with rules of their own allow fewer names.
Result<void> check_collection_name(std::string_view name, const Generation& generation);

}  // namespace mayfly::kuzzle
