// Writes documents of users' collections. Each write goes into the query's transaction immediately,
// so that later reads of the query see it.
#pragma once

#include "base/result.h"
#include "dialect/fauna/run/interpreter.h"

namespace mayfly::fauna {

// The *_data forms take the fields alone: no id, no ttl, and any field name.
enum class WriteMode : std::uint8_t {
  create,
  create_data,
  update,
  update_data,
  replace,
  replace_data
};
constexpr bool is_data(WriteMode mode) {
  return mode == WriteMode::create_data || mode == WriteMode::update_data ||
         mode == WriteMode::replace_data;
}
std::string_view name_of(WriteMode mode);

// Return the document. Fail with constraint_failure, document_id_exists, invalid_write …
Result<FqlValue> create_document(Interpreter& run, const FqlCollectionPtr& of,
                                 const FqlObject& input, WriteMode mode);
Result<FqlValue> change_document(Interpreter& run, const DocumentHandle& handle,
                                 const FqlObject& input, WriteMode mode);
// Returns the handle of the deleted document.
Result<FqlValue> delete_document(Interpreter& run, const DocumentHandle& handle);

// --- shared by users' and system collections ---
//
// Checks that the query may write at all. Fails with invalid_write within `at`, and with stale if
// the query has no transaction: then it runs again in one.
Result<void> check_may_write(Interpreter& run);
// The document to change, as it is now. Fails with document_not_found or permission_denied.
Result<Document> find_to_change(Interpreter& run, const DocumentHandle& handle);

// The input without null members, also in nested objects: nulls are not stored.
FqlObject without_nulls(const FqlObject& input);
// Merges the changes into `base`: nested objects are merged, null removes a member.
FqlObject merged(FqlObject base, const FqlObject& changes);

}  // namespace mayfly::fauna
