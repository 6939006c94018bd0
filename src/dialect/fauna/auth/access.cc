#include "dialect/fauna/auth/access.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <vector>

#include "base/crypto/passwords.h"
#include "base/threads/run_permit.h"
#include "db/rows/keys.h"
#include "dialect/fauna/auth/secrets.h"
#include "dialect/fauna/documents/reserved.h"
#include "dialect/fauna/documents/writing.h"
#include "dialect/fauna/limits.h"
#include "dialect/fauna/sets/lower.h"
#include "dialect/fauna/values/stored.h"
#include "dialect/fauna/values/text/text.h"
#include "query/run.h"
#include "value/packed/packed.h"

namespace mayfly::fauna {
namespace {

FqlCollection collection_of(const SystemCollection& of) {
  return {.name = std::string(of.name), .system = &of};
}

// The fields that documents of a kind may have besides `data`.
struct AccessField {
  std::string_view of;
  std::string_view name;
  FqlKind kind;
  std::string_view type;
  bool is_required = false;
};
constexpr AccessField access_fields[] = {
    {"Key", "role", FqlKind::text, "String", true},
    {"Key", "database", FqlKind::text, "String"},
    {"Token", "document", FqlKind::document, "Document", true},
    {"Credential", "document", FqlKind::document, "Document", true},
    {"Credential", "password", FqlKind::text, "String"},
    {"Database", "typechecked", FqlKind::boolean, "Boolean"},
    {"Database", "protected", FqlKind::boolean, "Boolean"},
    {"Database", "priority", FqlKind::whole, "Long"},
    {"Database", "global_id", FqlKind::text, "String"},
};

void check_field(const AccessField& row, const FqlObject& fields, Failures& failures) {
  const FqlValue* const value = fields.find(row.name);
  if (value == nullptr) {
    if (row.is_required) {
      failures.add({std::string(row.name)},
                   fmt::format("Missing required field of type {}", row.type));
    }
  } else if (!value->is(row.kind)) {
    failures.add({std::string(row.name)},
                 fmt::format("Expected {}, provided {}", row.type, type_name(*value)));
  }
}

void check_names(const SystemCollection& of, const FqlObject& fields, Failures& failures) {
  for (const auto& [name, value] : fields.members()) {
    if (name == "secret" && of.name != "Database") {
      failures.add({name}, "Failed to update field because it is readonly");
      continue;
    }
    const bool is_known = name == "data" || is_secret(of, name) ||
                          std::any_of(std::begin(access_fields), std::end(access_fields),
                                      [&, n = std::string_view(name)](const AccessField& row) {
                                        return row.of == of.name && row.name == n;
                                      });
    if (!is_known) failures.add({name}, "Unexpected field provided");
  }
}

std::string unknown_name(std::string_view kind, const std::string& name) {
  return fmt::format("Field refers to an unknown {} name `{}`.", kind, name);
}

Result<void> check_key(Interpreter& run, const FqlObject& fields, Failures& failures) {
  const FqlValue* const role = fields.find("role");
  const FqlValue* const child = fields.find("database");
  if (role == nullptr || !role->is(FqlKind::text)) return {};
  TRY(run.permissions().check_assign_role(role->text()));
  const bool is_there = built_in_role(role->text()) || child != nullptr ||
                        TRY(run.reading().get_system(*find_system("Role"), role->text()));
  if (!is_there) failures.add({"role"}, unknown_name("role", role->text()));
  if (child == nullptr || !child->is(FqlKind::text)) return {};
  if (TRY(run.reading().get_system(*find_system("Database"), child->text()))) return {};
  failures.add({"database"}, unknown_name("database", child->text()));
  return {};
}

Result<void> check_document(Interpreter& run, const SystemCollection& of,
                            const std::optional<std::string>& before, const FqlObject& fields,
                            Failures& failures) {
  const FqlValue* const document = fields.find("document");
  if (document == nullptr || !document->is(FqlKind::document)) return {};
  const DocumentHandle& handle = *document->document();
  const bool is_token = of.name == "Token";
  if (find_system(handle.collection) != nullptr ||
      (is_token && run.environment().database_path.is_root())) {
    return run.fail_denied();
  }
  if (!TRY(run.exists(*document))) failures.add({"document"}, "Document does not exist.");
  if (is_token) return {};
  const FqlValue other = TRY(find_by_document(run, of, handle));
  if (other.document()->id != id_of_none && before != other.document()->id) {
    failures.add({"document"}, "Failed unique constraint");
  }
  return {};
}

// Queries whose text does not show that they hash passwords, because their functions do, run on the
// normal workers. Only one of them may hash a password at a time, so that workers stay free. A
// concurrent one fails and may be retried.
std::mutex hashing;

template <class Hash>
auto hash_alone(const Hash& hash) -> Result<decltype(hash())> {
  const RunPermit* const permit = current_run_permit();
  if (permit != nullptr && permit->may_take_long()) return hash();
  const std::unique_lock alone(hashing, std::try_to_lock);
  if (!alone) return fail(Code::throttled, "too many passwords are being checked; try again");
  return hash();
}

// Each takes as long as many steps, so the deadline is checked.
Result<void> count_password(Interpreter& run) {
  if (run.counts().passwords++ < limits::fql_passwords_max) return run.step(100'000);
  return run.fail("value_too_large",
                  fmt::format("Value too large: a query checks at most {} passwords.",
                              limits::fql_passwords_max));
}

Result<void> take_password(Interpreter& run, FqlObject& fields, Failures& failures) {
  const FqlValue* const password = fields.find("password");
  if (password == nullptr || !password->is(FqlKind::text)) return {};
  TRY(count_password(run));
  const std::string text = password->text();
  auto hash = TRY(hash_alone([&] { return hash_password(text); }));
  fields.remove("password");
  if (!hash) {
    failures.add({"password"}, hash.error().message);
  } else {
    fields.set("hash", FqlValue(*std::move(hash)));
  }
  return {};
}

// The document that a token or credential refers to, even if the query must not read it.
Result<std::optional<Document>> present(Interpreter& run, const DocumentHandle& handle) {
  if (handle.is_deleted) return std::nullopt;
  const FqlCollectionPtr of = TRY(run.collection(handle.collection));
  if (!of || of->system != nullptr) return std::nullopt;
  return run.reading().get(*of, {handle.routing, handle.id}, std::nullopt);
}

Result<std::vector<Document>> keys_of(Interpreter& run, const std::string& database) {
  std::vector<Document> keys;
  const CollectionPtr table = run.reading().system_table();
  if (!table) return keys;
  const auto add = [&](const Document& key) -> Result<void> {
    TRY(run.step());
    const Value stored_database = key.body.member("database");
    if (stored_database.is(Kind::text) && stored_database.text() == database) keys.push_back(key);
    return {};
  };
  TRY(each_of_system(run.reading().view(), *table, *find_system("Key"), add));
  return keys;
}

}  // namespace

Result<void> check_may_create(Interpreter& run, const SystemCollection& of, const std::string& id,
                              const FqlObject& fields) {
  TRY(run.permissions().check_create(collection_of(of), fields,
                                     of.is_named ? std::optional(id) : std::nullopt));
  const FqlValue* const role = fields.find("role");
  if (of.name != "Function" || role == nullptr || !role->is(FqlKind::text)) return {};
  return run.permissions().check_assign_role(role->text());
}

Result<void> check_may_change(Interpreter& run, const SystemCollection& of,
                              const DocumentHandle& handle, const FqlObject& fields) {
  TRY(run.permissions().check_change(collection_of(of), handle, fields));
  const FqlValue* const role = fields.find("role");
  if (of.name != "Function" || role == nullptr || !role->is(FqlKind::text)) return {};
  return run.permissions().check_assign_role(role->text());
}

Result<void> check_may_remove(Interpreter& run, const SystemCollection& of,
                              const DocumentHandle& handle) {
  TRY(find_to_change(run, handle));
  TRY(run.permissions().check_delete(collection_of(of), handle));
  if (of.name == "Database") TRY(remove_keys_of(run, handle.id));
  return {};
}

Result<void> check_access(Interpreter& run, const SystemCollection& of,
                          const std::optional<std::string>& before, FqlObject& fields,
                          Failures& failures) {
  check_names(of, fields, failures);
  for (const AccessField& row : access_fields) {
    if (row.of == of.name) check_field(row, fields, failures);
  }
  if (of.name == "Key") return check_key(run, fields, failures);
  if (of.name == "Database" && !before) {
    if (fields.find("global_id") != nullptr) {
      failures.add({"global_id"}, "Failed to update field because it is readonly");
    }
    fields.set("global_id", FqlValue(run.new_id()));
    return {};
  }
  TRY(check_document(run, of, before, fields, failures));
  return of.name == "Credential" ? take_password(run, fields, failures) : Result<void>();
}

Result<void> remove_keys_of(Interpreter& run, const std::string& database) {
  const CollectionPtr table = run.reading().system_table();
  for (const Document& key : TRY(keys_of(run, database))) {
    TRY(remove_secret(run, key));
    TRY(run.transaction()->remove(table, DocumentKey::of(std::string(key.id)), {.is_final = true}));
    run.reading().mark_changed(*find_system("Key"), id_in_table(key.id));
  }
  return {};
}

Result<FqlValue> find_by_document(Interpreter& run, const SystemCollection& of,
                                  const DocumentHandle& document) {
  DocumentHandle found{.collection = std::string(of.name), .id = std::string(id_of_none)};
  const CollectionPtr table = run.reading().system_table();
  const auto stored_document = to_stored(FqlValue(document));
  if (!table || !stored_document) return FqlValue(std::move(found));
  View& view = run.reading().view();
  ExprList conditions{id_is_of(of),
                      expr::equal(expr::body("document"), expr::literal(*stored_document))};
  // The same condition as is_made_for().
  if (const auto there = TRY(present(run, document))) {
    conditions.push_back(expr::call("greater_or_equal", {expr::metadata("created_at"),
                                                         expr::literal(Value(there->created_at))}));
  }
  const auto query = query::filter(query::scan(table, view.live()), expr::all_of(conditions));
  const auto page = TRY(query::answer(query, view, {.rows_max = 1, .meter = run.meter()}));
  run.counts().reads += page.statistics.documents_read;
  if (!page.rows.empty()) found.id = std::string(id_in_table(page.rows[0].document->id));
  return FqlValue(std::move(found));
}

Result<bool> verify_password(Interpreter& run, const DocumentHandle& credential,
                             const std::string& password) {
  const auto row = TRY(run.find(credential));
  if (!row) return run.fail_missing(credential);
  TRY(count_password(run));
  const FqlValue named = from_stored(row->body.member("document"));
  if (named.is(FqlKind::document)) {
    const auto document = TRY(present(run, *named.document()));
    if (!document || !is_made_for(*row, *document)) return false;
  }
  const Value hash = row->body.member("hash");
  return hash_alone([&] { return hash.is(Kind::text) && is_password(password, hash.text()); });
}

}  // namespace mayfly::fauna
