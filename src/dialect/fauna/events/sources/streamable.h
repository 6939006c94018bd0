// Decides which sets can be followed: documents of one collection, of one index, or a single
// document, with any filters and mappings.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "dialect/fauna/documents/collection.h"
#include "dialect/fauna/events/sources/token.h"

namespace mayfly::fauna {

// The base set of documents, without filters and mappings.
const FqlSet& followed_set(const FqlSet& set);
// The collection of a base set.
const std::string& followed_collection(const FqlSet& base);

// Fails with invalid_receiver if the set cannot be followed; the message names `method`.
Result<void> check_streamable(Interpreter& run, const FqlSet& set, std::string_view method);

// The fields in the entries of an index. nullopt if they hold `ts` or a computed field, which any
// update may change.
std::optional<std::vector<FieldNames>> covered_fields(const IndexDefinition& index);
// The path that a lambda returns: `.a.b`, `x => x.a.b`; nullopt for any other lambda.
std::optional<FieldNames> field_names(const FqlValue& accessor);
FieldNames field_names(const Term& term);
std::string text_of(const FieldNames& path);  // `.a.b`

}  // namespace mayfly::fauna
