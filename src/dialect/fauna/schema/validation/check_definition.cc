#include "dialect/fauna/schema/validation/check_definition.h"

#include <fmt/format.h>

#include "dialect/fauna/auth/access.h"
#include "dialect/fauna/run/functions/compile.h"
#include "dialect/fauna/run/interpreter.h"
#include "dialect/fauna/schema/validation/check_collection.h"
#include "dialect/fauna/schema/validation/check_names.h"
#include "dialect/fauna/schema/validation/check_role.h"
#include "dialect/fauna/schema/validation/check_shape.h"
#include "dialect/fauna/schema/validation/protection.h"
#include "dialect/fauna/syntax/diagnostics/diagnostic.h"
#include "dialect/fauna/syntax/types.h"

namespace mayfly::fauna {
namespace {

Result<void> check_function(const std::string& name, const FqlObject& fields, Failures& failures) {
  const FqlValue* body = fields.find("body");
  if (body == nullptr || !body->is(FqlKind::text)) return {};
  if (auto message = lambda_error(fmt::format("*udf:{}*", name), body->text())) {
    failures.add({"body"}, *message);
  }
  const FqlValue* signature = fields.find("signature");
  if (signature == nullptr || !signature->is(FqlKind::text)) return {};
  const SourcePtr source = make_source("*signature*", signature->text());
  const auto type = parse_type(source);
  if (!type) failures.add({"signature"}, render(type.error()));
  return {};
}

// The documents of that collection with the name in that field.
Result<void> refuse_users(Interpreter& run, const char* kind, const std::string& field,
                          const std::string& name, Failures& failures) {
  for (const std::string& user : TRY(run.reading().names_with(*find_system(kind), field, name))) {
    TRY(run.step());
    std::string what = kind;
    what[0] = static_cast<char>(what[0] - 'A' + 'a');
    failures.add({"name"}, fmt::format("The {} `{}` refers to this document by its previous "
                                       "identifier `{}`.",
                                       what, user, name));
  }
  return {};
}

}  // namespace

Result<void> check_definition(Interpreter& run, const SystemCollection& of,
                              const DefinitionName& name, FqlObject& fields, Failures& failures) {
  TRY(check_names(run, of, name, fields, failures));
  check_shape(of, fields, failures);
  if (!failures.empty()) return {};
  if (of.name == "Collection") return check_collection(run, name, fields, failures);
  if (of.name == "Function") return check_function(name.name, fields, failures);
  if (of.name == "Role") check_role(fields, failures);
  if (of.name == "AccessProvider") {
    return check_access_provider(run, name.before, fields, failures);
  }
  return of.name == "Role" ? Result<void>() : check_access(run, of, name.before, fields, failures);
}

namespace {

// Whether a document of the collection is under hold.
Result<bool> has_hold(Interpreter& run, const Collection& collection) {
  TRY(run.step());
  const DocumentPage holds = TRY(run.reading().view().scan_holds(collection, {}, 1));
  return !holds.documents.empty() || holds.next.has_value();
}

// The same for a collection or a database (with its descendants) that its definition would delete.
// Mayfly would keep it, and it would reappear without a definition.
Result<bool> has_hold(Interpreter& run, const SystemCollection& of, const std::string& name) {
  const Catalog& catalog = run.reading().view().catalog();
  if (of.name == "Collection") {
    const CollectionPtr there = catalog.find_collection(run.reading().database(), name);
    return there ? has_hold(run, *there) : Result<bool>(false);
  }
  const std::string core = run.environment().database_path.child(name).core_name();
  for (const DatabaseInfoPtr& database : catalog.databases()) {
    if (database->name != core && !database->name.starts_with(core + ".")) continue;
    for (const CollectionPtr& collection : catalog.collections(database->id)) {
      if (TRY(has_hold(run, *collection))) return true;
    }
  }
  return false;
}

}  // namespace

Result<void> check_may_delete(Interpreter& run, const SystemCollection& of,
                              const std::string& name) {
  Failures failures;
  if (of.name == "Role") {
    TRY(refuse_users(run, "Key", "role", name, failures));
    TRY(refuse_users(run, "Function", "role", name, failures));
  }
  if (of.name == "Collection" && TRY(is_protected(run))) refuse_deletion(failures);
  const bool holds_documents = of.name == "Collection" || of.name == "Database";
  if (holds_documents && TRY(has_hold(run, of, name))) {
    failures.add({}, "It has documents under hold.");
  }
  return failures.raise(run, fmt::format("Failed to delete {} `{}`.", of.name, name));
}

Result<void> rename_definition(Interpreter& run, const SystemCollection& of,
                               const std::string& from, const std::string&, PutOptions& options) {
  if (of.name == "Collection" || of.name == "Database") {
    Failures failures;
    const bool is_collection = of.name == "Collection";
    failures.add({"name"}, fmt::format("A {} cannot be renamed{}.", of.name,
                                       is_collection ? ": documents refer to it by its name. Set "
                                                       "`alias` for a second one"
                                                     : ""));
    return failures.raise(run, fmt::format("Failed to update {} `{}`.", of.name, from));
  }
  TRY(check_may_delete(run, of, from));
  TRY(run.transaction()->remove(run.reading().system_table(), system_key(of, from),
                                {.is_final = true}));
  options.expect = PutOptions::Expect::absent;
  return {};
}

}  // namespace mayfly::fauna
