#include "dialect/kuzzle/generations/words.h"

namespace mayfly::kuzzle {
namespace {

constexpr Words earliest_words{
    .reserved_index =
        "Indexes starting with a \"%\" are reserved for internal use. Cannot process index {}.",
    .no_document = "Document not found",
    .no_cache_database = "Database {} not found",
    .no_body = "bad format",
    .no_changes = "bad format",
    .no_default = "bad format",
    .no_text_id = "the document ID must be a string",
    .no_id = "a document ID is required",
    .one_not_found = "",
    .violation_of_document = "Document: {}",
    .violation_of_field = "Field {}: {}",
    .missing_reference = "Unable to hydrate the {} {}: missing {}(s) in the database",
    .still_in_use = "The {} \"{}\" cannot be deleted since it is used by some {}.",
    .login_required = "Cannot remove login permission from anonymous role"};

constexpr Words late_words(Words words) {
  words.reserved_index =
      "Indexes starting with a '%' are reserved for internal use. Cannot process index {}.";
  words.no_document = "Document \"{}\" not found";
  return words;
}

constexpr ErrorMessageRow messages_of_v2[] = {
    {"services.storage.not_found", R"(Document "{}" not found in "{}":"{}".)"},
    {"services.storage.document_already_exists", "Document already exists."},
    {"services.storage.unknown_index", R"(The index "{}" does not exist.)"},
    {"services.storage.unknown_collection", R"(The collection "{}":"{}" does not exist.)"},
    {"services.storage.strict_mapping_rejection",
     R"(Cannot create document. Field "{}" is not present in collection "{}:{}" strict mapping)"},
    {"api.assert.missing_argument", R"(Missing argument "{}".)"},
    {"api.assert.invalid_type", R"(Wrong type for argument "{}" (expected: {}))"},
    {"api.process.controller_not_found", R"(API controller "{}" not found.)"},
    {"api.process.action_not_found", R"(API action "{}":"{}" not found)"},
    {"api.process.admin_exists", "Admin user is already set."},
    {"security.user.not_found", R"(User "{}" not found.)"},
    {"security.profile.not_found", R"(Profile "{}" not found.)"},
    {"security.role.not_found", R"(Role "{}" not found.)"},
};

}  // namespace

constinit const Words words_of_v1 = earliest_words;
constinit const Words words_of_v1_late = late_words(earliest_words);
constinit const Words words_of_v2{
    .reserved_index = earliest_words.reserved_index,
    // The error's own message in this generation has the place, too.
    .no_document = late_words(earliest_words).no_document,
    .no_cache_database = "Cache database \"{}\" not found.",
    .no_body = "document body must be an object",
    .no_changes = "document changes must be an object",
    .no_default = "document default must be an object",
    .no_text_id = "document _id must be a string",
    .no_id = "document _id must be a string",
    .one_not_found = "document not found",
    .violation_of_document = "Failed to validate document: {}",
    .violation_of_field = "Validation failed. Field \"{}\": {}",
    .missing_reference = "Unable to hydrate the {} \"{}\": missing {}(s) in the database",
    .still_in_use = "The {} \"{}\" is still used and cannot be deleted.",
    .login_required = "Cannot remove the \"login\" action from the anonymous role.",
    .error_messages = messages_of_v2};

}  // namespace mayfly::kuzzle
