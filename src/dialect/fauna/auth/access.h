// Writing the documents that say who may do what: keys, tokens, credentials, databases, and the
// roles that functions run with.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "dialect/fauna/documents/constraints.h"
#include "dialect/fauna/run/interpreter.h"

namespace mayfly::fauna {

// They fail with permission_denied where the principal must not write that document. Of a new one
// `id` is its id or name.
Result<void> check_may_create(Interpreter& run, const SystemCollection& of, const std::string& id,
                              const FqlObject& fields);
Result<void> check_may_change(Interpreter& run, const SystemCollection& of,
                              const DocumentHandle& handle, const FqlObject& fields);
Result<void> check_may_remove(Interpreter& run, const SystemCollection& of,
                              const DocumentHandle& handle);

// Whether the fields of a key, token, credential or database are right; a password becomes its
// hash. `before`: of a document that is there already.
Result<void> check_access(Interpreter& run, const SystemCollection& of,
                          const std::optional<std::string>& before, FqlObject& fields,
                          Failures& failures);

// The keys that name a database go with it.
Result<void> remove_keys_of(Interpreter& run, const std::string& database);

// The token or credential of a document; one of the id -1, which is not there, where it has none.
inline constexpr std::string_view id_of_none = "-1";
Result<FqlValue> find_by_document(Interpreter& run, const SystemCollection& of,
                                  const DocumentHandle& document);

// Takes some hundredths of a second; a query may ask few of them. Fails where the credential cannot
// be read.
Result<bool> verify_password(Interpreter& run, const DocumentHandle& credential,
                             const std::string& password);

}  // namespace mayfly::fauna
