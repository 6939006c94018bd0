#include "dialect/kuzzle/documents/write.h"

#include <fmt/format.h>

#include "base/crypto/crypto.h"
#include "db/rows/keys.h"
#include "db/rows/partition.h"
#include "db/write/revive.h"
#include "dialect/kuzzle/documents/metadata.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/mappings/learnt_fields.h"
#include "dialect/kuzzle/mappings/mapped_fields.h"
#include "dialect/kuzzle/mappings/member_index.h"
#include "dialect/kuzzle/queries.h"
#include "dialect/kuzzle/trash/collector.h"

namespace mayfly::kuzzle {
namespace {

constexpr std::size_t id_bytes = 15;  // twenty characters

// The document of that id in the trashcan, if it is there after the due pass of the garbage
// collector.
Result<std::optional<Document>> find_in_trash(const KuzzleCall& call, Transaction& transaction,
                                              const CollectionPtr& collection,
                                              const DocumentKey& key) {
  if (collection->policy.trash.span == Span{0}) return std::nullopt;
  if (TRY(call.shared.collector.run_due()) > 0) {
    return fail(Code::contended, "the trashcan has been emptied meanwhile");
  }
  return transaction.get_removed(collection, key);
}

tl::unexpected<Error> nothing_to_write(const KuzzleCall& call, const WriteRequest& request) {
  const std::string text =
      request.is_one_of_many && request.how == WriteKind::replace
          ? std::string(
                "cannot replace a non-existing document (use mCreateOrReplace if you need "
                "to create non-existing documents)")
      : request.how == WriteKind::replace
          ? fmt::format("Document with id \"{}\" not found.", request.id)
          : fmt::format("[document_missing_exception] [{}]: document missing", request.id);
  return problem_in_both("services.storage.not_found", text,
                         {request.id, call.message.index, call.message.collection});
}

Value without_metadata(Value body) {
  if (body.object().find(metadata_field) != nullptr) {
    body.mutable_object().remove(metadata_field);
  }
  return body;
}

// For a bulk write: its metadata stays if it is an object; otherwise there is none.
Value with_given_metadata(Value body) {
  if (!body.member(metadata_field).is(Kind::object)) {
    body.mutable_object().set(metadata_field, nullptr);
  }
  return body;
}

bool is_update(const WriteRequest& request) {
  return request.how == WriteKind::update || request.how == WriteKind::upsert;
}

PutOptions::VersionOrigin origin_of(const WriteRequest& request, bool updates) {
  using VersionOrigin = PutOptions::VersionOrigin;
  if (updates || request.keeps_creation) return VersionOrigin::by_itself;
  const bool is_replacement =
      request.how == WriteKind::create_or_replace || request.how == WriteKind::replace;
  return is_replacement && !request.is_one_of_many ? VersionOrigin::replacement
                                                   : VersionOrigin::creation;
}

// The body to store. `before`: the document that an update changes, if there is one.
Result<Value> body_of(const KuzzleCall& call, const Collection& collection,
                      const WriteRequest& request, const Document* before, Instant now) {
  if (request.how == WriteKind::with_metadata) return with_given_metadata(request.body);
  Value body = without_metadata(request.body);
  Value metadata;
  if (is_update(request) && before != nullptr) {
    Value standing = before->body.unpack();
    metadata = take_stored_metadata(standing);
    body = merge_deeply(std::move(standing), body);
  } else if (request.how == WriteKind::upsert && request.is_one_of_many && !request.is_import) {
    // As in Kuzzle, and only here: a default is stored alone.
    if (!request.otherwise.is_missing()) body = without_metadata(request.otherwise);
  } else if (request.how == WriteKind::upsert) {
    const bool has_default = !request.otherwise.is_missing();
    if (has_default) body = merge_deeply(without_metadata(request.otherwise), body);
  }
  const Extent extent = before != nullptr ? Extent::changes : Extent::whole;
  if (!request.is_import) body = TRY(fit(call, collection, request.id, std::move(body), extent));
  restore_stored_metadata(body, std::move(metadata), {.at = now, .by = call.principal.id});
  return body;
}

// The document in the trashcan that the request refers to. A whole body names its partition: a
// document there comes first, and a creation does not touch one in another partition.
Result<std::optional<Document>> find_written_over(const KuzzleCall& call, Transaction& transaction,
                                                  const CollectionPtr& collection,
                                                  const WriteRequest& request,
                                                  const DocumentKey& key) {
  const bool keeps_trash = collection->policy.trash.span > Span{0};
  const bool may_be_elsewhere = collection->body.is_partitioned() && key.routing.empty();
  if (!keeps_trash || !may_be_elsewhere || is_update(request)) {
    return find_in_trash(call, transaction, collection, key);
  }
  const Bytes packed =
      TRY(pack(TRY(body_of(call, *collection, request, nullptr, transaction.now()))));
  const DocumentKey place = TRY(key_in_partition(collection->body, key, Packed(packed)));
  TRY(transaction.check_expirations_flushed(collection));
  View& view = transaction.view();
  const Bytes encoded = keys::encode(place);
  const auto found = TRY(view.get_many(*collection, {&encoded, 1}, Lens::trash(view.now())));
  if (found.front()) return find_in_trash(call, transaction, collection, place);
  if (request.how == WriteKind::create) return std::nullopt;
  return find_in_trash(call, transaction, collection, key);
}

}  // namespace

Result<DocumentKey> place_of(const Collection& collection, const DocumentKey& key,
                             const Packed& body, const Document* before) {
  DocumentKey place = TRY(key_in_partition(collection.body, key, body));
  if (before == nullptr || before->document_key() == place) return place;
  return fail(Code::invalid,
              fmt::format("the document \"{}\" is in the partition {}, and its body names {}: a "
                          "write does not move it",
                          key.id, render_partition(before->document_key().routing),
                          render_partition(place.routing)),
              "partition");
}

Result<Value> fit(const KuzzleCall& call, const Collection& collection, std::string_view id,
                  Value body, Extent extent) {
  const auto specification = TRY(specifications::specification_of(collection));
  if (!specification) return body;
  const Instant now = call.database().now();
  const auto findings =
      TRY(specifications::validate(*specification, id, body, now, meter_of(call)));
  if (!findings.empty())
    return specifications::violation_error(findings.front(), call.generation().words);
  return with_defaults(specification->document, std::move(body), extent);
}

Value merge_deeply(Value into, const Value& changes) {
  if (!into.is(Kind::object) || !changes.is(Kind::object)) return changes;
  Object& object = into.mutable_object();
  const MemberIndex members(object, changes.object().size());
  std::vector<const Object::Member*> added;
  for (const Object::Member& change : changes.object()) {
    Value* const standing = members.find(change.first);
    if (standing == nullptr) {
      added.push_back(&change);
    } else {
      *standing = merge_deeply(std::move(*standing), change.second);
    }
  }
  for (const Object::Member* one : added) object.append(one->first, one->second);
  return into;
}

std::string new_document_id(Random& random) {
  Bytes bytes;
  while (bytes.size() < id_bytes) {
    for (std::uint64_t word = random.next(), i = 0; i < 8; ++i, word >>= 8) {
      bytes.push_back(static_cast<char>(word));
    }
  }
  bytes.resize(id_bytes);
  std::string id = encode_base64url(bytes);
  if (id.front() == '_' || id.front() == '-') id.front() = 'A';
  return id;
}

Result<bool> write_document(const KuzzleCall& call, Transaction& transaction,
                            const CollectionPtr& collection, const WriteRequest& request) {
  View& view = transaction.view();
  const DocumentKey key = request.key.value_or(DocumentKey::of(request.id));
  TRY(check(key));
  const auto living = TRY(view.get(*collection, key, view.live()));
  if (living && request.how == WriteKind::create) return already_exists();
  std::optional<Document> trashed;
  if (!living) trashed = TRY(find_written_over(call, transaction, collection, request, key));
  // An expired document does not exist: only an action that creates overwrites it.
  const bool is_removed = trashed && !trashed->has_expired;
  const Document* before = living ? &*living : is_removed ? &*trashed : nullptr;
  const bool must_be_there = request.how == WriteKind::replace || request.how == WriteKind::update;
  if (before == nullptr && must_be_there) return nothing_to_write(call, request);
  const bool updates = is_update(request) && before != nullptr;
  const Value body =
      TRY(body_of(call, *collection, request, updates ? before : nullptr, transaction.now()));
  TRY(check_against_mapping(call, *collection, request.id, body));
  auto unknown = unknown_fields(call, *collection, body);
  // A document of another API may already exceed the bound; a change that reduces it is accepted.
  if (!unknown && updates) unknown = unknown_fields(call, *collection, request.body);
  TRY(unknown);
  Bytes packed = TRY(pack(body));
  const PutOptions options{.author = call.principal.id, .origin = origin_of(request, updates)};
  const Document* moved = request.how == WriteKind::create ? nullptr : before;
  const DocumentKey place = TRY(place_of(*collection, key, Packed(packed), moved));
  // With another partition it is another document.
  if (trashed && trashed->document_key() == place) {
    const auto content = updates ? RevivedBody::changed : RevivedBody::replaced;
    TRY(revive(transaction, collection, place, std::move(packed), content, options));
  } else {
    TRY(transaction.put(collection, key, std::move(packed), options));
  }
  record_unknown_fields(call, *collection, *unknown);
  return before == nullptr || request.how == WriteKind::create;
}

Result<void> remove_document(const KuzzleCall& call, Transaction& transaction,
                             const CollectionPtr& collection, const DocumentKey& key,
                             bool from_trash) {
  bool is_again = false;
  if (from_trash) {
    TRY(check(key));
    View& view = transaction.view();
    const bool is_living = TRY(view.get(*collection, key, view.live())).has_value();
    is_again = !is_living && TRY(find_in_trash(call, transaction, collection, key)).has_value();
  }
  auto removed = is_again ? remove_again(transaction, collection, key, call.principal.id)
                          : transaction.remove(collection, key, {.author = call.principal.id});
  if (removed || removed.error().code != Code::not_found) return removed;
  return problem_in_both("services.storage.not_found",
                         fmt::format("Document {} does not exist", key.id),
                         {key.id, call.message.index, call.message.collection});
}

}  // namespace mayfly::kuzzle
