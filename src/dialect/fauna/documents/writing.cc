#include "dialect/fauna/documents/writing.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "db/rows/partition.h"
#include "dialect/fauna/documents/constraints.h"
#include "dialect/fauna/documents/reserved.h"
#include "dialect/fauna/documents/unique_values.h"
#include "dialect/fauna/run/weight.h"
#include "dialect/fauna/syntax/diagnostics/diagnostic.h"
#include "dialect/fauna/syntax/print.h"
#include "dialect/fauna/values/stored.h"
#include "dialect/fauna/values/text/ids.h"
#include "dialect/fauna/values/text/text.h"
#include "value/packed/packed.h"

namespace mayfly::fauna {
namespace {

constexpr std::int64_t seconds_of_day = 24 * 60 * 60;
constexpr std::int64_t days_max = 365'000'000'000;  // beyond the range of times

// The parsed input of a write.
struct Input {
  std::optional<std::string> id;
  bool has_ttl = false;
  std::optional<FqlTime> ttl;  // nothing: null
  FqlObject fields;
};

FqlValue without_nulls_in(const FqlValue& value) {
  return value.is(FqlKind::object) ? FqlValue(without_nulls(value.object())) : value;
}

// update() drops nulls in arrays as well.
FqlValue without_null_items(const FqlValue& value) {
  if (value.is(FqlKind::object)) return without_nulls(value.object());
  if (!value.is(FqlKind::array)) return value;
  FqlArray kept;
  for (const FqlValue& item : value.array()) {
    if (!item.is_null()) kept.push_back(item);
  }
  return kept;
}

// Failures of an input. Only the first kind that occurs is reported.
struct InputFailures {
  Failures computed;
  Failures id;
  Failures reserved;
  Failures types;  // also failures of the fields
};

void read_id(const FqlValue& value, Input& input, Failures& failures) {
  if (value.is_null()) {
    return failures.add({"id"}, "Missing required field of type ID | String | Long");
  }
  auto id = id_text(value);
  if (!id) {
    return failures.add({"id"},
                        fmt::format("Expected ID | String | Long, provided {}", type_name(value)));
  }
  if (id->starts_with('-')) return failures.add({"id"}, "id must be nonnegative");
  input.id = std::move(id);
}

void read_ttl(Interpreter& run, const FqlValue& value, Input& input, Failures& failures) {
  input.has_ttl = true;
  if (value.is_null()) return;
  if (value.is(FqlKind::transaction_time)) {
    input.ttl = run.now();
  } else if (value.is(FqlKind::time)) {
    input.ttl = value.time();
  } else {
    return failures.add({"ttl"},
                        fmt::format("Expected Time | Null, provided {}", type_name(value)));
  }
}

Input parse_input(Interpreter& run, const FqlCollection& of, const FqlObject& raw_input,
                  WriteMode mode, InputFailures& failures) {
  Input input;
  for (const auto& [name, value] : raw_input.members()) {
    if (of.definition->find_computed(name) != nullptr) {
      failures.computed.add({name}, "Cannot write to a computed field");
    } else if (!is_data(mode) && name == "id" && mode == WriteMode::create) {
      read_id(value, input, failures.id);
    } else if (!is_data(mode) && name == "ttl") {
      read_ttl(run, value, input, failures.types);
    } else if (!is_data(mode) && is_reserved(name)) {
      failures.reserved.add({name}, "Is a reserved field and cannot be used");
    } else {
      input.fields.append(name, value);
    }
  }
  return input;
}

// The ttl that the collection gives to writes without one.
std::optional<FqlTime> default_ttl(Interpreter& run, const FqlCollection& of) {
  if (!of.definition->ttl_days) return std::nullopt;
  FqlTime ttl = run.now();
  ttl.seconds += std::min(*of.definition->ttl_days, days_max) * seconds_of_day;
  return ttl;
}

// The type of the value as a literal.
std::string literal_type(const FqlValue& value) {
  if (value.is(FqlKind::text)) return in_quotes(value.text());
  if (value.is(FqlKind::whole)) return std::to_string(value.whole().number);
  if (value.is(FqlKind::boolean)) return value.boolean() ? "true" : "false";
  return type_name(value);
}

// Checks that the collection allows the ttl in a write.
Result<void> check_may_write_ttl(Interpreter& run, const FqlCollection& of, const Input& input,
                                 const FqlObject& raw_input, const std::string& message) {
  if (!input.ttl || of.definition->allows_document_ttl()) return {};
  if (!run.environment().is_typechecked) {
    Failures failures;
    failures.add({"ttl"}, "Unexpected field provided");
    return failures.raise(run, message);
  }
  QueryFailure failure{.code = "invalid_query", .message = validation_message(1)};
  failure.diagnostic = "Type `Time` is not a subtype of `Null`";
  if (!of.definition->takes_any_field()) {
    std::vector<std::string> members;
    for (const auto& [name, value] : raw_input.members()) {
      members.push_back(key_text(name) + ": " + literal_type(value));
    }
    failure.diagnostic =
        fmt::format("Type `{{ {} }}` contains extra field `ttl`", fmt::join(members, ", "));
  }
  return run.fail(std::move(failure));
}

// Whether the collection's policy gives a lifetime to writes without one: by ttl_days, or because
// another API has set a default.
bool is_stamped(const Collection& core, const Document* before) {
  const auto& stamp = core.policy.stamp;
  return stamp && (before == nullptr || stamp->when == Stamp::When::every_write);
}

PutOptions put_options(Interpreter& run, const FqlCollection& of, const Input& input,
                       WriteMode mode, const Document* before) {
  PutOptions options{.expect = before == nullptr ? PutOptions::Expect::absent
                                                 : PutOptions::Expect::present};
  std::optional<FqlTime> ttl = input.ttl;
  if (!input.has_ttl && is_stamped(*of.core, before)) {
    options.facet = Bytes();
    return options;
  }
  if (input.has_ttl && !ttl) {
    options.lifetime = Lifetime(Never{});
    options.is_touch = true;  // a touch only
  } else if (!ttl) {
    ttl = default_ttl(run, of);
    options.is_touch = true;
  }
  if (ttl) {
    options.lifetime = Lifetime(mayfly::At{ttl->instant()});
    options.facet = facet_of(ttl);
  } else if (!input.has_ttl && mode != WriteMode::update && mode != WriteMode::update_data) {
    options.lifetime = Lifetime(Inherit{});
    options.facet = Bytes();
  }
  return options;
}

// Converts the error of a write to FQL's failure.
tl::unexpected<Error> fail_put(Interpreter& run, const FqlCollection& of, const Error& error) {
  if (error.code != Code::exists) return tl::unexpected(error);
  return run.fail(unique_failure(of, error.message));
}

Result<void> check_id_is_free(Interpreter& run, const FqlCollection& of, const DocumentKey& key) {
  if (!TRY(run.reading().get(of, key, std::nullopt))) return {};
  return run.fail(
      "document_id_exists",
      fmt::format("Collection `{}` already contains document with id {}.", of.name, key.id));
}

struct DocumentWrite {
  const FqlCollectionPtr& of;
  const DocumentKey key;  // with the id as FQL shows it
  const FqlObject& fields;
  const Input& input;
};

Result<FqlValue> put(Interpreter& run, const DocumentWrite& written, WriteMode mode,
                     const Document* before) {
  TRY(count_copy(run, written.fields));
  const auto stored = to_stored(FqlValue(written.fields));
  if (!stored) return run.fail("invalid_type", stored.error().message);
  const Bytes packed = TRY(pack(*stored));
  ++run.counts().writes;
  run.counts().writes += written.of->definition->indexes.size();
  run.counts().bytes_written += packed.size();
  const DocumentKey key = TRY(
      key_in_partition(written.of->core->body, written.of->key_of(written.key), Packed(packed)));
  if (before == nullptr && written.input.id) TRY(check_id_is_free(run, *written.of, key));
  const auto done = run.transaction()->put(
      written.of->core, key, packed, put_options(run, *written.of, written.input, mode, before));
  if (!done) return fail_put(run, *written.of, done.error());
  run.record_write(*written.of, key.id, key.routing);
  TRY(check_partly_null(run, *written.of, key));
  const FqlValue document(
      DocumentHandle{.collection = written.of->name, .id = key.id, .routing = key.routing});
  const auto ttl = written.input.has_ttl ? written.input.ttl : default_ttl(run, *written.of);
  TRY(check_constraints(run, *written.of, document, written.fields, ttl, mode));
  return document;
}

Result<FqlCollectionPtr> collection_to_write(Interpreter& run, FqlCollectionPtr of) {
  TRY(check_may_write(run));
  if (of->is_changed) {
    return run.fail("invalid_write",
                    "Cannot modify a document and its collection in the same query.");
  }
  if (of->core) return of;
  // Its document exists but has not been applied yet, so the query runs again.
  if (!TRY(run.permissions().may_ever_write(*of))) return run.fail_denied();
  run.record_missing_collection();
  return fail(Code::not_found, "the collection is still to be made");
}

// Values without TransactionTime are shared with the input.
FqlObject with_write_time(const FqlObject& object, const FqlTime& time) {
  const auto replace = [&](const FqlValue& leaf) -> std::optional<FqlValue> {
    if (!leaf.is(FqlKind::transaction_time)) return std::nullopt;
    return FqlValue(time);
  };
  return with_leaves(FqlValue(object), replace).object();
}

}  // namespace

std::string_view name_of(WriteMode mode) {
  constexpr std::string_view names[] = {"create",     "createData", "update",
                                        "updateData", "replace",    "replaceData"};
  return names[static_cast<std::size_t>(mode)];
}

FqlObject without_nulls(const FqlObject& input) {
  FqlObject kept;
  for (const auto& [name, value] : input.members()) {
    if (!value.is_null()) kept.append(name, without_nulls_in(value));
  }
  return kept;
}

FqlObject merged(FqlObject base, const FqlObject& changes) {
  // Names that remain here at the end are new.
  std::map<std::string_view, const FqlValue*> unmatched;
  for (const auto& [name, value] : changes.members()) unmatched.emplace(name, &value);
  FqlObject made;
  for (auto& [name, there] : base.members()) {
    const auto found = unmatched.find(name);
    if (found == unmatched.end()) {
      made.append(std::move(name), std::move(there));
      continue;
    }
    const FqlValue& value = *found->second;
    unmatched.erase(found);
    if (value.is_null()) continue;
    const bool are_objects = there.is(FqlKind::object) && value.is(FqlKind::object);
    made.append(std::move(name), are_objects ? FqlValue(merged(there.object(), value.object()))
                                             : without_null_items(value));
  }
  for (const auto& [name, value] : changes.members()) {
    if (!value.is_null() && unmatched.contains(name)) made.append(name, without_null_items(value));
  }
  return made;
}

Result<void> check_may_write(Interpreter& run) {
  if (run.at()) {
    return run.fail("invalid_write", "Cannot write at a snapshot time in the past.");
  }
  if (run.transaction() == nullptr) return fail(Code::stale, "the query writes");
  return {};
}

Result<FqlValue> create_document(Interpreter& run, const FqlCollectionPtr& collection,
                                 const FqlObject& raw_input, WriteMode mode) {
  const FqlCollectionPtr of = TRY(collection_to_write(run, collection));
  TRY(count_copy(run, raw_input));
  InputFailures failures;
  Input input = parse_input(run, *of, with_write_time(raw_input, run.now()), mode, failures);
  const std::string message =
      fmt::format("Failed to create document in collection `{}`.", of->name);
  TRY(failures.computed.raise(run, message));
  TRY(failures.id.raise(run, message));
  TRY(run.permissions().check_create(*of, input.fields, input.id));
  // Its partition is only known from the fields to be written.
  if (input.id && !of->core->body.is_partitioned()) {
    TRY(check_id_is_free(run, *of, DocumentKey::of(*input.id)));
  }
  TRY(failures.reserved.raise(run, message));
  TRY(check_may_write_ttl(run, *of, input, raw_input, message));
  TRY(count_copy(run, input.fields));
  FqlObject fields = without_nulls(input.fields);
  TRY(add_defaults(run, *of, fields));
  TRY(check_fields(run, *of, fields, is_data(mode), failures.types));
  TRY(failures.types.raise(run, message));
  const std::string id = input.id ? *input.id : run.new_id();
  return put(run, {of, DocumentKey::of(id), fields, input}, mode, nullptr);
}

Result<Document> find_to_change(Interpreter& run, const DocumentHandle& handle) {
  TRY(check_may_write(run));
  DocumentHandle present = handle;
  present.at.reset();
  auto before = TRY(run.find(present));
  if (!before) return run.fail_missing(handle);
  return *std::move(before);
}

Result<FqlValue> change_document(Interpreter& run, const DocumentHandle& handle,
                                 const FqlObject& raw_input, WriteMode mode) {
  const Document before = TRY(find_to_change(run, handle));
  const FqlCollectionPtr of = TRY(collection_to_write(run, TRY(run.collection(handle.collection))));
  TRY(count_copy(run, raw_input));
  InputFailures failures;
  Input input = parse_input(run, *of, with_write_time(raw_input, run.now()), mode, failures);
  const std::string message =
      fmt::format("Failed to update document with id {} in collection `{}`.", handle.id, of->name);
  TRY(failures.computed.raise(run, message));
  TRY(failures.reserved.raise(run, message));
  TRY(check_may_write_ttl(run, *of, input, raw_input, message));
  const bool is_update = mode == WriteMode::update || mode == WriteMode::update_data;
  TRY(count_copy(run, input.fields));
  FqlObject fields =
      is_update ? merged(stored_fields(before), input.fields) : without_nulls(input.fields);
  if (is_update) TRY(count_copy(run, fields));
  TRY(run.permissions().check_change(*of, handle, fields));
  if (!is_update) TRY(add_defaults(run, *of, fields));
  TRY(check_fields(run, *of, fields, is_data(mode), failures.types));
  TRY(failures.types.raise(run, message));
  FqlValue changed = TRY(put(run, {of, {handle.routing, handle.id}, fields, input}, mode, &before));
  // A document read at an instant keeps being read at it.
  return handle.at ? FqlValue(handle) : changed;
}

Result<FqlValue> delete_document(Interpreter& run, const DocumentHandle& handle) {
  TRY(find_to_change(run, handle));
  const FqlCollectionPtr of = TRY(collection_to_write(run, TRY(run.collection(handle.collection))));
  TRY(run.permissions().check_delete(*of, handle));
  TRY(run.transaction()->remove(of->core, of->key_of({handle.routing, handle.id}), {}));
  ++run.counts().writes;
  run.record_write(*of, handle.id, handle.routing);
  DocumentHandle deleted = handle;
  deleted.is_deleted = true;
  deleted.at.reset();
  return FqlValue(std::move(deleted));
}

}  // namespace mayfly::fauna
