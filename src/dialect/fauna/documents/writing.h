// Documents of users' collections as a query writes them. Each writes at once into the query's
// transaction, so that what the query reads later shows it.
#pragma once

#include "base/result.h"
#include "dialect/fauna/run/interpreter.h"

namespace mayfly::fauna {

// `data`: the input is the fields alone: it has neither id nor ttl, and any name.
enum class Writing : std::uint8_t {
  create,
  create_data,
  update,
  update_data,
  replace,
  replace_data
};
constexpr bool is_data(Writing how) {
  return how == Writing::create_data || how == Writing::update_data || how == Writing::replace_data;
}
std::string_view name_of(Writing how);

// Gives the document. Fails with constraint_failure, document_id_exists, invalid_write …
Result<FqlValue> create_document(Interpreter& run, const FqlCollectionPtr& of,
                                 const FqlObject& input, Writing how);
Result<FqlValue> change_document(Interpreter& run, const DocumentHandle& handle,
                                 const FqlObject& input, Writing how);
// Gives a document that is not there.
Result<FqlValue> delete_document(Interpreter& run, const DocumentHandle& handle);

// What both kinds of collections have in common: that the query may write at all, and the document
// that is to be changed.
Result<void> check_may_write(Interpreter& run);
Result<Document> find_to_change(Interpreter& run, const DocumentHandle& handle);

// What is stored of an input: members that are null are left out, in objects within it, too.
FqlObject without_nulls(const FqlObject& input);
// The input over what was there: objects are merged, null removes.
FqlObject merged(FqlObject base, const FqlObject& changes);

}  // namespace mayfly::fauna
