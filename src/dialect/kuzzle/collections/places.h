// Indexes and collections: an index is a database of the core, a collection a collection. What is
// made here keeps a trash for the garbage collector to empty, and its mapping as a facet; what
// other dialects have made is read and written as it is.
#pragma once

#include "dialect/kuzzle/call.h"

namespace mayfly::kuzzle {

// The mapping of a collection that was made here, as JSON. Only its creation sets this facet: a
// collection that has it is the garbage collector's and resetDatabase's.
inline constexpr std::string_view mapping_facet = "kuzzle";
// The mapping that clients have given to any other collection.
inline constexpr std::string_view added_mapping_facet = "kuzzle.mapping";
// The facet that keeps the mapping of that collection.
std::string_view mapping_facet_of(const Collection& collection);
// What an index that is made here has, so that it is known from a database of another dialect.
inline constexpr std::string_view index_facet = "kuzzle.index";
Facets index_facets();

// What the request names, for a write: fails in the words of both where either is missing.
Result<CollectionPtr> place_to_write(const Call& call, const Catalog& catalog);
// The same for reading.
Result<CollectionPtr> place_to_read(const Call& call, const Catalog& catalog);
// For what the request reads. Where it asks for the trashcan, as the garbage collector has left it
// by now, and with the deaths of what it names recorded.
Result<View> view_of(const Call& call);
Result<View> view_with_trash(const Call& call);
Result<DatabaseInfoPtr> find_index(const Call& call, const Catalog& catalog);

// What the collection's fields are, as clients have said: an object.
Value mapping_of(const Collection& collection);

// Whether a database is one that clients are told of.
bool is_told_of(const DatabaseInfo& database);
Result<void> check_index_name(std::string_view name);
// Version 2 knows fewer names than version 1.
Result<void> check_collection_name(std::string_view name, Shape shape);

}  // namespace mayfly::kuzzle
