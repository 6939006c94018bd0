#include "dialect/fauna/schema/definitions.h"

#include <fmt/format.h>

#include "base/crypto/crypto.h"
#include "dialect/fauna/auth/access.h"
#include "dialect/fauna/auth/secrets.h"
#include "dialect/fauna/documents/constraints.h"
#include "dialect/fauna/documents/reserved.h"
#include "dialect/fauna/run/functions/compile.h"
#include "dialect/fauna/run/weight.h"
#include "dialect/fauna/schema/validation/check_definition.h"
#include "dialect/fauna/values/stored.h"
#include "dialect/fauna/values/text/text.h"
#include "value/packed/packed.h"

namespace mayfly::fauna {
namespace {

// The parts of the input that identify the document.
struct Identity {
  std::string id;  // or its name
  FqlObject rest;
};

Result<Identity> identity_of(Interpreter& run, const SystemCollection& of, const FqlObject& input,
                             Failures& failures) {
  Identity identity{.rest = input};
  const FqlValue* name = input.find("name");
  if (!of.is_named) {
    identity.id = run.new_id();
  } else if (name == nullptr || name->is_null()) {
    failures.add({"name"}, "Missing required field of type String");
  } else if (!name->is(FqlKind::text)) {
    failures.add({"name"}, fmt::format("Expected String, provided {}", type_name(*name)));
  } else {
    identity.id = name->text();
    identity.rest.remove("name");
  }
  return identity;
}

std::string failed_to(std::string_view what, const SystemCollection& of, std::string_view name) {
  return name.empty() ? fmt::format("Failed to {} {}.", what, of.name)
                      : fmt::format("Failed to {} {} `{}`.", what, of.name, name);
}

Result<CollectionPtr> system_table_of(Interpreter& run) {
  if (CollectionPtr table = run.reading().system_table()) return table;
  return fail(Code::contended, "the table of the schema is still to be made");
}

Result<void> record_change(Interpreter& run, const SystemCollection& of, const std::string& id) {
  const FqlCollection collection{.name = std::string(of.name), .system = &of};
  run.record_write(collection, id);
  run.permissions().clear_roles();
  ++run.counts().writes;
  run.reading().mark_changed(of, id);
  if (!of.is_schema && of.name != "Database") return {};
  return put_schema_version(run);
}

// Parses the ttl of a key or token.
Result<std::optional<FqlTime>> take_ttl(Interpreter& run, const SystemCollection& of,
                                        FqlObject& fields, Failures& failures) {
  const FqlValue* input_ttl = fields.find("ttl");
  if (input_ttl == nullptr) return std::nullopt;
  std::optional<FqlTime> ttl;
  if (of.is_named) {
    failures.add({"ttl"}, "Unexpected field provided");
  } else if (input_ttl->is(FqlKind::time)) {
    ttl = input_ttl->time();
  } else if (input_ttl->is(FqlKind::transaction_time)) {
    ttl = run.now();
  } else if (!input_ttl->is_null()) {
    failures.add({"ttl"}, fmt::format("Expected Time | Null, provided {}", type_name(*input_ttl)));
  }
  fields.remove("ttl");
  return ttl;
}

Result<void> store(Interpreter& run, const SystemCollection& of, const std::string& id,
                   const FqlObject& fields, PutOptions options) {
  const auto stored = to_stored(FqlValue(fields));
  if (!stored) return run.fail("invalid_type", stored.error().message);
  const CollectionPtr table = TRY(system_table_of(run));
  TRY(run.transaction()->put(table, system_key(of, id), TRY(pack(*stored)), options));
  return record_change(run, of, id);
}

const SystemCollection& system_of(const DocumentHandle& handle) {
  return *find_system(handle.collection);
}

// Refuses fields that only the server sets: hashes.
void refuse_secrets(const SystemCollection& of, const FqlObject& raw_input, Failures& failures) {
  for (const auto& [name, value] : raw_input.members()) {
    if (is_secret(of, name)) failures.add({name}, "Unexpected field provided");
  }
}

}  // namespace

Result<FqlValue> create_definition(Interpreter& run, const SystemCollection& of,
                                   const FqlObject& raw_input) {
  TRY(check_may_write(run));
  TRY(count_copy(run, raw_input));
  Failures failures;
  Identity identity = TRY(identity_of(run, of, raw_input, failures));
  refuse_secrets(of, raw_input, failures);
  FqlObject fields = without_nulls(identity.rest);
  TRY(check_may_create(run, of, identity.id, fields));
  const auto ttl = TRY(take_ttl(run, of, fields, failures));
  TRY(failures.raise(run, failed_to("create", of, "")));
  TRY(check_definition(run, of, {identity.id, std::nullopt}, fields, failures));
  TRY(failures.raise(run, failed_to("create", of, "")));
  DocumentHandle made{
      .collection = std::string(of.name), .id = identity.id, .is_named = of.is_named};
  if (has_secret(of)) made.secret = TRY(make_secret(run, of, identity.id, fields));
  PutOptions options{.expect = PutOptions::Expect::absent};
  if (ttl) {
    options.lifetime = Lifetime(mayfly::At{ttl->instant()});
    options.facet = facet_of(ttl);
  }
  if (ttl && has_secret(of)) {
    TRY(end_secret(run, of, identity.id, fields, Lifetime(mayfly::At{ttl->instant()})));
  }
  TRY(store(run, of, identity.id, fields, options));
  if (of.name == "Function") run.record_new_function(identity.id);
  return FqlValue(std::move(made));
}

Result<FqlValue> change_definition(Interpreter& run, const DocumentHandle& handle,
                                   const FqlObject& raw_input, WriteMode mode) {
  const SystemCollection& of = system_of(handle);
  TRY(check_may_write(run));
  const Document before = TRY(find_to_change(run, handle));
  TRY(count_copy(run, raw_input));
  Failures failures;
  refuse_secrets(of, raw_input, failures);
  FqlObject changes = raw_input;
  const bool sets_ttl = changes.find("ttl") != nullptr;
  const auto ttl = TRY(take_ttl(run, of, changes, failures));
  std::string id = handle.id;
  if (const FqlValue* name = changes.find("name"); name != nullptr && of.is_named) {
    if (name->is(FqlKind::text)) id = name->text();
    changes.remove("name");
  }
  const bool is_update = mode == WriteMode::update || mode == WriteMode::update_data;
  FqlObject fields = is_update ? merged(stored_fields(before), changes) : without_nulls(changes);
  TRY(check_may_change(run, of, handle, fields));
  if (!is_update) keep_secrets(of, stored_fields(before), fields);
  TRY(check_definition(run, of, {id, handle.id}, fields, failures));
  TRY(failures.raise(run, failed_to("update", of, handle.id)));
  PutOptions options{.expect = PutOptions::Expect::present};
  if (sets_ttl) {
    const Lifetime lifetime = ttl ? Lifetime(mayfly::At{ttl->instant()}) : Lifetime(Never{});
    options.lifetime = lifetime;
    options.facet = facet_of(ttl);
    if (has_secret(of)) TRY(end_secret(run, of, id, fields, lifetime));
  }
  // From now on it belongs to the document that exists now (is_made_for).
  if ((of.name == "Token" || of.name == "Credential") && changes.find("document") != nullptr) {
    options.origin = PutOptions::VersionOrigin::creation;
    if (!sets_ttl) {
      options.lifetime = before.version.lifetime;
      options.facet = Bytes(before.facet);
    }
  }
  if (id != handle.id) {
    TRY(rename_definition(run, of, handle.id, id, options));
    run.reading().mark_changed(of, handle.id);
  }
  TRY(store(run, of, id, fields, options));
  return FqlValue(
      DocumentHandle{.collection = handle.collection, .id = id, .is_named = handle.is_named});
}

Result<FqlValue> delete_definition(Interpreter& run, const DocumentHandle& handle) {
  const SystemCollection& of = system_of(handle);
  TRY(check_may_write(run));
  TRY(check_may_remove(run, of, handle));
  TRY(check_may_delete(run, of, handle.id));
  const CollectionPtr table = TRY(system_table_of(run));
  if (has_secret(of)) {
    const auto document = TRY(run.reading().get_system(of, handle.id));
    if (document) TRY(remove_secret(run, *document));
  }
  TRY(run.transaction()->remove(table, system_key(of, handle.id), {.is_final = true}));
  TRY(record_change(run, of, handle.id));
  DocumentHandle deleted = handle;
  deleted.is_deleted = true;
  deleted.at.reset();
  return FqlValue(std::move(deleted));
}

Result<void> put_schema_version(Interpreter& run) {
  run.record_schema_change();
  const CollectionPtr table = TRY(system_table_of(run));
  TRY(run.transaction()->put(table, schema_version_key(), TRY(pack(Value(Object{}))), {}));
  return {};
}

}  // namespace mayfly::fauna
