// Which sets can be followed: those of documents of one collection, of an index of it, or of one
// document; filtered and mapped as one likes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "dialect/fauna/documents/collection.h"
#include "dialect/fauna/events/sources/token.h"

namespace mayfly::fauna {

// The set whose documents are followed, without what filters and maps them.
const FqlSet& followed_set(const FqlSet& set);
// The collection of a set that can be followed.
const std::string& followed_collection(const FqlSet& base);

// Fails with invalid_receiver where the set cannot be followed; `method` is named in the message.
Result<void> check_streamable(Interpreter& run, const FqlSet& set, std::string_view method);

// What the entries of an index hold. Nothing: they hold `ts`, so every update changes them.
std::optional<std::vector<FieldNames>> covered_fields(const IndexDefinition& index);
// The path that a lambda gives: `.a.b`, `x => x.a.b`; nothing where it is none.
std::optional<FieldNames> field_names(const FqlValue& accessor);
FieldNames field_names(const Term& term);
std::string text_of(const FieldNames& path);  // `.a.b`

}  // namespace mayfly::fauna
