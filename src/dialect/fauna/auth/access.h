// Checks of writes to the documents that control access: keys, tokens, credentials, databases, and
// the roles that functions run with.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "dialect/fauna/documents/constraints.h"
#include "dialect/fauna/run/interpreter.h"

namespace mayfly::fauna {

// These fail with permission_denied if the principal must not write the document. For a new
// document, `id` is its id or name. check_may_remove() also fails if the document does not exist;
// for a database that may be deleted, it removes the keys that name it.
Result<void> check_may_create(Interpreter& run, const SystemCollection& of, const std::string& id,
                              const FqlObject& fields);
Result<void> check_may_change(Interpreter& run, const SystemCollection& of,
                              const DocumentHandle& handle, const FqlObject& fields);
Result<void> check_may_remove(Interpreter& run, const SystemCollection& of,
                              const DocumentHandle& handle);

// Validates the fields of a key, token, credential or database, and replaces a password by its
// hash. `before` is the current id or name of a document that exists already.
Result<void> check_access(Interpreter& run, const SystemCollection& of,
                          const std::optional<std::string>& before, FqlObject& fields,
                          Failures& failures);

// Removes the keys that name a database which is being deleted.
Result<void> remove_keys_of(Interpreter& run, const std::string& database);

// Finds the token or credential of a document. A document that has none gets a reference with the
// id -1, which never exists.
inline constexpr std::string_view id_of_none = "-1";
Result<FqlValue> find_by_document(Interpreter& run, const SystemCollection& of,
                                  const DocumentHandle& document);

// Takes some hundredths of a second. Fails with value_too_large after limits::fql_passwords_max
// calls in one query, and if the credential cannot be read. On the ordinary workers it fails with
// throttled while another query hashes a password there. A wrong password is no failure.
Result<bool> verify_password(Interpreter& run, const DocumentHandle& credential,
                             const std::string& password);

}  // namespace mayfly::fauna
