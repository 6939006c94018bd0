// Documents as values: whether they exist, their fields, and their form in results.
#include <fmt/format.h>

#include "db/rows/keys.h"
#include "dialect/fauna/auth/access.h"
#include "dialect/fauna/documents/reserved.h"
#include "dialect/fauna/limits.h"
#include "dialect/fauna/run/functions/bound.h"
#include "dialect/fauna/run/functions/closure.h"
#include "dialect/fauna/run/functions/compile.h"
#include "dialect/fauna/run/interpreter.h"
#include "dialect/fauna/run/weight.h"
#include "dialect/fauna/sets/set.h"
#include "dialect/fauna/values/stored.h"
#include "dialect/fauna/values/text/text.h"

namespace mayfly::fauna {
namespace {

// Whether values of the kind allocate memory.
bool is_held_apart(const Value& stored) {
  return stored.is(Kind::text) || stored.is(Kind::binary) || stored.is(Kind::array) ||
         stored.is(Kind::object);
}

// The collection of a document; it may have been deleted.
ModulePtr collection_module(const DocumentHandle& handle, const FqlCollectionPtr& of) {
  if (of) return module_of(handle.collection);
  return std::make_shared<const Module>(Module{handle.collection, true});
}

// References in a document that was read at an instant are read at the same instant.
FqlValue dated(const FqlValue& value, const std::optional<Instant>& at) {
  if (!at) return value;
  return with_leaves(value, [&](const FqlValue& leaf) -> std::optional<FqlValue> {
    if (!leaf.is(FqlKind::document)) return std::nullopt;
    DocumentHandle handle = *leaf.document();
    handle.at = at;
    return FqlValue(std::move(handle));
  });
}

// Fields that need no look-up of the document.
std::optional<FqlValue> known_field(const DocumentHandle& handle, std::string_view name) {
  if (handle.is_named && name == "name") return FqlValue(handle.id);
  if (!handle.is_named && name == "id") return FqlValue(Id{handle.id});
  if (handle.secret && name == "secret") return FqlValue(handle.secret);
  return std::nullopt;
}

}  // namespace

// Unambiguous, because names of collections contain no slash and the id's length precedes it.
std::string Interpreter::cache_key(const DocumentHandle& handle) {
  std::string key;
  key.reserve(handle.collection.size() + handle.id.size() + handle.routing.size() + 48);
  key.append(handle.collection).append("/").append(std::to_string(handle.id.size()));
  key.append("/").append(handle.id).append("/");
  key.append(std::to_string(handle.routing.size())).append("/").append(handle.routing);
  return handle.at ? key.append("/").append(std::to_string(handle.at->micros)) : key;
}

void Interpreter::cache_document(const DocumentHandle& handle, const Document& document) {
  cache_document(cache_key(handle), document);
}

void Interpreter::cache_document(const std::string& key, const std::optional<Document>& document) {
  const std::size_t bytes = key.size() + (document ? document->body.bytes().size() : 0);
  if (documents_read_.size() >= limits::fql_cached_documents_max ||
      cached_bytes_ + bytes > limits::fql_cached_document_bytes_max) {
    clear_document_cache();
  }
  if (bytes > limits::fql_cached_document_bytes_max) return;
  cached_bytes_ += bytes;
  documents_read_.insert_or_assign(key, document);
}

void Interpreter::clear_document_cache() {
  documents_read_.clear();
  cached_bytes_ = 0;
}

Result<FqlValue> Interpreter::value_of(const Value& stored) {
  FqlValue value = from_stored(stored);
  if (is_held_apart(stored)) TRY(count_copy(*this, value));
  return value;
}

Result<FqlObject> Interpreter::fields_of(const Document& document) {
  FqlObject fields = stored_fields(document);
  TRY(count_copy(*this, fields));
  return fields;
}

void Interpreter::record_write(const FqlCollection& of, std::string_view id,
                               std::string_view routing) {
  written_.emplace(of.name, id, routing);
  clear_document_cache();
  permissions_.clear_document_decisions();
}

bool Interpreter::is_written_here(const DocumentHandle& handle) const {
  if (handle.at) return false;
  // Without a partition: any document with the id.
  const auto found = written_.lower_bound({handle.collection, handle.id, handle.routing});
  if (found == written_.end()) return false;
  const auto& [collection, id, routing] = *found;
  const bool is_in_partition = handle.routing.empty() || routing == handle.routing;
  return collection == handle.collection && id == handle.id && is_in_partition;
}

Result<std::optional<Document>> Interpreter::look_up(const FqlCollection& of,
                                                     const DocumentHandle& handle) {
  const std::string key = cache_key(handle);
  if (const auto kept = documents_read_.find(key); kept != documents_read_.end())
    return kept->second;
  ++counts().reads;
  auto got = reading_.get(of, {handle.routing, handle.id}, handle.at);
  if (!got && got.error().field == "as_of") return tl::unexpected(std::move(got).error());
  auto document = TRY(std::move(got));
  if (document) counts().bytes_read += document->body.bytes().size();
  cache_document(key, document);
  return document;
}

Result<std::optional<Document>> Interpreter::find(const DocumentHandle& handle) {
  if (handle.is_deleted) return std::nullopt;
  const FqlCollectionPtr of = TRY(collection(handle.collection));
  if (!of) return std::nullopt;
  auto document = TRY(look_up(*of, handle));
  if (permissions_.is_unrestricted() || !document) return document;
  if (!TRY(permissions_.may_read(*of, handle, *document))) return std::nullopt;
  return document;
}

Result<bool> Interpreter::is_denied(const DocumentHandle& handle) {
  if (permissions_.is_unrestricted() || handle.is_deleted) return false;
  const FqlCollectionPtr of = TRY(collection(handle.collection));
  if (!of) return false;
  const auto document = TRY(look_up(*of, handle));
  if (!document) return TRY(permissions_.reading(*of, handle.at)).is_never();
  return !TRY(permissions_.may_read(*of, handle, *document));
}

Result<bool> Interpreter::exists(const FqlValue& document) {
  return TRY(find(*document.document())).has_value();
}

tl::unexpected<Error> Interpreter::fail_denied() {
  return fail("permission_denied", "Insufficient privileges to perform the action.");
}

tl::unexpected<Error> Interpreter::fail_denied_reading(const FqlCollection& of) {
  return fail("permission_denied",
              fmt::format("Insufficient privileges to read from collection {}.", of.name));
}

tl::unexpected<Error> Interpreter::fail_missing(const DocumentHandle& handle) {
  const auto denied = is_denied(handle);
  if (!denied) return tl::unexpected(denied.error());
  if (*denied) return fail_denied();
  const auto of = collection(handle.collection);
  if (!of) return tl::unexpected<Error>(of.error());
  if (!*of) {
    return fail("document_not_found",
                fmt::format("Document with id {} does not exist because the collection was "
                            "deleted.",
                            handle.id));
  }
  if (handle.is_named) {
    return fail("document_not_found",
                fmt::format("{} `{}` not found.", handle.collection, handle.id));
  }
  if (handle.collection == "Credential" && handle.id == id_of_none) {
    return fail("document_not_found", "The document has no credential.");
  }
  return fail("document_not_found",
              fmt::format("Collection `{}` does not contain document with id {}.",
                          handle.collection, handle.id));
}

tl::unexpected<Error> Interpreter::fail_access(const DocumentHandle& handle,
                                               std::string_view name) {
  const auto of = collection(handle.collection);
  if (!of) return tl::unexpected<Error>(of.error());
  if (!handle.is_deleted && *of) return fail_missing(handle);
  return fail("invalid_null_access", fmt::format("Cannot access `{}` on null.", name));
}

Result<FqlValue> Interpreter::document_field(const FqlValue& value, std::string_view name) {
  const DocumentHandle& handle = *value.document();
  if (auto known = known_field(handle, name)) return *std::move(known);
  const FqlCollectionPtr of = TRY(collection(handle.collection));
  if (name != "coll") TRY(check_effect(Effect::read, "Reading a field"));
  if (name == "coll") return FqlValue(collection_module(handle, of));
  const auto document = TRY(find(handle));
  if (const Method* method = find_method(type_of_methods(value), name)) {
    if (!document && name != "exists") return fail_access(handle, name);
    return function_value<BoundMethod>(*method, value, !permissions_.uses_other_role());
  }
  if (!document) return fail_access(handle, name);
  if (name == "ts") {
    if (is_written_here(handle)) return FqlValue(TransactionTime{});
    return FqlValue(FqlTime::of(document->version.written_at));
  }
  if (name == "ttl") return ttl_of(*document);
  if (name == "data" && of->system == nullptr) {
    return dated(FqlValue(TRY(fields_of(*document))), handle.at);
  }
  if (of->definition) {
    if (const ComputedField* field = of->definition->find_computed(name)) {
      return computed(*field, handle);
    }
  }
  const Value stored = document->body.member(name);
  const bool is_hidden = of->system != nullptr && is_secret(*of->system, name);
  if (stored.is_missing() || is_hidden) return null_because(NullCause::missing_field, name);
  return dated(TRY(value_of(stored)), handle.at);
}

Result<FqlValue> Interpreter::computed(const ComputedField& field, const DocumentHandle& handle) {
  const auto body = TRY(compile(*this, field.code));
  const EffectScope reads_only(*this, {Effect::read, "computed fields"});
  // With no more rights than a server key, which may change the definition. Otherwise its author
  // could read keys when an administrator runs the query.
  std::optional<Permissions::RoleScope> server;
  if (permissions_.is_unrestricted()) server.emplace(permissions_, "server");
  const AsOf as_of(*this, handle.at);
  const FqlValue document(handle);
  return call(*body, std::span(&document, 1));
}

DocumentHandle Interpreter::handle_of(const FqlCollection& of, const Document& document) const {
  DocumentHandle handle{
      .collection = of.name, .id = of.id_of(document), .is_named = of.is_named(), .at = at_};
  if (of.core && of.core->body.is_partitioned()) {
    if (const auto key = keys::decode_document_key(document.key)) handle.routing = key->routing;
  }
  return handle;
}

Result<FqlObject> Interpreter::shown_fields(const FqlCollection& of, const Document& document,
                                            const DocumentHandle& handle) {
  FqlObject shown;
  FqlObject hidden;
  shown.append("ts", is_written_here(handle) ? FqlValue(TransactionTime{})
                                             : FqlValue(FqlTime::of(document.version.written_at)));
  if (FqlValue ttl = ttl_of(document); !ttl.is_null()) shown.append("ttl", std::move(ttl));
  FqlObject stored = TRY(fields_of(document));
  shown.reserve(stored.size() + 2);
  for (auto& [name, value] : stored.members()) {
    if (handle.at) value = dated(value, handle.at);
    if (of.system == nullptr && hides_field(name)) {
      hidden.append(std::move(name), std::move(value));
    } else if (of.system == nullptr || !is_secret(*of.system, name)) {
      shown.append(std::move(name), std::move(value));
    }
  }
  if (of.definition) {
    for (const ComputedField& field : of.definition->computed_fields) {
      FqlValue value = TRY(computed(field, handle));
      if (!value.is_null()) shown.append(field.name, std::move(value));
    }
  }
  if (handle.secret) shown.append("secret", FqlValue(handle.secret));
  if (!hidden.empty()) shown.append("data", FqlValue(std::move(hidden)));
  return shown;
}

Result<FqlObject> Interpreter::fields(const FqlValue& value) {
  const DocumentHandle& handle = *value.document();
  const auto document = TRY(find(handle));
  if (!document) return fail_missing(handle);
  const FqlCollectionPtr of = TRY(collection(handle.collection));
  FqlObject all;
  const std::string_view key = handle.is_named ? "name" : "id";
  if (!handle.is_named) all.append(std::string(key), *known_field(handle, key));
  all.append("coll", FqlValue(collection_module(handle, of)));
  if (handle.is_named) all.append(std::string(key), *known_field(handle, key));
  FqlObject own = TRY(shown_fields(*of, *document, handle));
  for (auto& [name, field] : own.members()) all.append(name, std::move(field));
  return all;
}

// --- results ---

Result<FqlValue> Interpreter::show(const FqlValue& value) {
  return show_at(value, 0);
}

Result<QueryFailure> Interpreter::result_failure() {
  QueryFailure failed = *failure();
  if (!failed.abort) return failed;
  const std::vector<Span> trace = trace_;
  forget_failure();
  auto shown = show(*failed.abort);
  trace_ = trace;
  if (shown) {
    failed.abort = *std::move(shown);
    return failed;
  }
  if (!failure()) return tl::unexpected(std::move(shown).error());
  return *failure();
}

Result<FqlValue> Interpreter::show_document(const DocumentHandle& handle, int depth) {
  TRY(count_result_bytes(sizeof(ShownDocument) + handle.id.size()));
  const auto document = TRY(find(handle));
  const FqlCollectionPtr of = TRY(collection(handle.collection));
  ShownDocument shown{
      .collection = collection_module(handle, of), .id = handle.id, .is_named = handle.is_named};
  if (!document) {
    shown.form = ShownDocument::Form::missing;
    shown.cause = handle.is_deleted        ? "deleted"
                  : !of                    ? "collection deleted"
                  : TRY(is_denied(handle)) ? "permission denied"
                                           : "not found";
    return FqlValue(std::make_shared<const ShownDocument>(std::move(shown)));
  }
  FqlObject fields = TRY(shown_fields(*of, *document, handle));
  for (auto& [name, field] : fields.members()) {
    TRY(count_result_bytes(sizeof(std::string) + name.size()));
    field = TRY(reference_in(field, depth + 1));
  }
  shown.fields = std::move(fields);
  return FqlValue(std::make_shared<const ShownDocument>(std::move(shown)));
}

// Counts everything that is shown, also shared parts each time.
Result<void> Interpreter::count_value(const FqlValue& value) {
  std::size_t bytes = sizeof(FqlValue);
  if (value.is(FqlKind::text)) bytes += value.text().size();
  if (value.is(FqlKind::bytes)) bytes += value.bytes().size();
  if (value.is(FqlKind::event_source)) bytes += value.event_source_token().content.size() * 2;
  if (value.is(FqlKind::object)) {
    for (const auto& [name, member] : value.object().members()) {
      bytes += sizeof(std::string) + name.size();
    }
  }
  return count_result_bytes(bytes);
}

Result<void> Interpreter::count_result_bytes(std::size_t bytes) {
  result_bytes_ += bytes;
  if (result_bytes_ <= limits::fql_result_bytes_max) return {};
  return fail("value_too_large", fmt::format("Value too large: a result has at most {} bytes",
                                             limits::fql_result_bytes_max));
}

// A field of a shown document: documents in it become references, and sets become cursors. So the
// size of a shown document does not depend on related documents.
Result<FqlValue> Interpreter::reference_in(const FqlValue& value, int depth) {
  TRY(count_value(value));
  if (value.is(FqlKind::document)) {
    const DocumentHandle& handle = *value.document();
    TRY(count_result_bytes(sizeof(ShownDocument) + handle.id.size()));
    ShownDocument shown{.form = ShownDocument::Form::reference,
                        .collection = module_of(handle.collection),
                        .id = handle.id,
                        .is_named = handle.is_named};
    return FqlValue(std::make_shared<const ShownDocument>(std::move(shown)));
  }
  if (value.is(FqlKind::set)) return show_cursor_of(*this, value.set());
  if (value.is(FqlKind::array) || value.is(FqlKind::object)) {
    return with_items(value, [&](const FqlValue& item) { return reference_in(item, depth + 1); });
  }
  return show_at(value, depth);
}

Result<FqlValue> Interpreter::show_at(const FqlValue& value, int depth) {
  if (depth > limits::fql_shown_depth_max) {
    return fail("value_too_large", "Value too large: exceeded maximum depth.");
  }
  TRY(step());
  TRY(count_value(value));
  switch (value.kind()) {
    case FqlKind::document: return show_document(*value.document(), depth);
    case FqlKind::set: return show_set(*this, value.set(), depth);
    case FqlKind::array:
    case FqlKind::object:
      return with_items(value, [&](const FqlValue& item) { return show_at(item, depth + 1); });
    default: return value;
  }
}

std::string Interpreter::new_id() {
  return environment_.ids.next(instant());
}

Result<FqlCollectionPtr> Interpreter::usable_collection(std::string_view name) {
  FqlCollectionPtr of = TRY(collection(name));
  if (of && !of->is_new) return of;
  QueryFailure failure{
      .code = "invalid_argument",
      .message = fmt::format("invalid argument `collection`: No such user collection `{}`.", name)};
  if (of) failure.hints.push_back({"A collection cannot be created and used in the same query."});
  return fail(std::move(failure));
}

}  // namespace mayfly::fauna
