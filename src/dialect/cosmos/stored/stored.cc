#include "dialect/cosmos/stored/stored.h"

#include <algorithm>
#include <set>

#include "base/crypto/crypto.h"
#include "dialect/cosmos/containers/policies/encryption.h"
#include "dialect/cosmos/documents/document.h"
#include "dialect/cosmos/documents/rid_numbers.h"
#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/headers/text.h"
#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/resources/names.h"
#include "dialect/cosmos/resources/rid.h"
#include "dialect/cosmos/resources/system_properties.h"
#include "dialect/cosmos/stored/tokens.h"
#include "query/planning/access.h"
#include "value/json/json.h"
#include "value/json/writer.h"

namespace mayfly::cosmos {
namespace {

// Clients write `Pre` or `pre`; the value is stored as written.
bool is_one_of(const Value& value, std::initializer_list<std::string_view> words) {
  return value.is(Kind::text) &&
         std::any_of(words.begin(), words.end(), [&value](std::string_view word) {
           return equal_in_any_case(word, value.text());
         });
}

Result<void> check_script(ResourceKind kind, const Value& body) {
  if (!body.member("body").is(Kind::text)) {
    return tl::unexpected(bad_request("Script request has invalid body.", "body"));
  }
  if (kind != ResourceKind::trigger) return {};
  if (!is_one_of(body.member("triggerType"), {"Pre", "Post"})) {
    return tl::unexpected(bad_request("A trigger's type is Pre or Post.", "triggerType"));
  }
  if (!is_one_of(body.member("triggerOperation"),
                 {"All", "Create", "Update", "Delete", "Replace", "Upsert"})) {
    return tl::unexpected(
        bad_request("A trigger's operation is All, Create, Update, Delete, Replace "
                    "or Upsert.",
                    "triggerOperation"));
  }
  return {};
}

Result<void> check_permission(const Value& body) {
  if (!is_one_of(body.member("permissionMode"), {"Read", "All"})) {
    return tl::unexpected(bad_request("A permission's mode is Read or All.", "permissionMode"));
  }
  const Value resource = body.member("resource");
  const auto link = resource.is(Kind::text) ? parse_link(resource.text()) : Address();
  const bool is_in_database =
      link && !link->parts.empty() && link->parts.front().kind == ResourceKind::database;
  if (!is_in_database) {
    return tl::unexpected(bad_request("A permission must name a resource.", "resource"));
  }
  return {};
}

// The server cannot unwrap a key; it stores what a client needs for that.
Result<void> check_encryption_key(const Value& body) {
  const auto is_text = [](const Value& value) {
    return value.is(Kind::text) && !value.text().empty();
  };
  const Value algorithm = body.member("encryptionAlgorithm");
  if (!is_text(algorithm) || algorithm.text() != encryption_algorithm) {
    return tl::unexpected(
        bad_request("The encryptionAlgorithm is " + std::string(encryption_algorithm) + ".",
                    "encryptionAlgorithm"));
  }
  const Value wrapped = body.member("wrappedDataEncryptionKey");
  if (!is_text(wrapped) || !decode_base64(wrapped.text())) {
    return tl::unexpected(bad_request("The wrappedDataEncryptionKey is a text in base64.",
                                      "wrappedDataEncryptionKey"));
  }
  const Value metadata = body.member("keyWrapMetadata");
  for (const std::string_view name : {"type", "name", "value", "algorithm"}) {
    if (is_text(metadata.member(name))) continue;
    return tl::unexpected(
        bad_request("The keyWrapMetadata has no " + std::string(name) + ".", "keyWrapMetadata"));
  }
  if (render_json(body).size() <= limits::encryption_key_bytes_max) return {};
  return tl::unexpected(bad_request("A client encryption key has at most " +
                                    std::to_string(limits::encryption_key_bytes_max) +
                                    " bytes of JSON."));
}

ResourceKind kind_of(const DocumentKey& key) {
  return key.routing.empty() ? ResourceKind::account
                             : static_cast<ResourceKind>(key.routing.back());
}

}  // namespace

bool is_script(ResourceKind kind) {
  return kind == ResourceKind::stored_procedure || kind == ResourceKind::trigger ||
         kind == ResourceKind::user_function;
}

bool StoredResource::is_row(const Document& document) {
  return kind_of(document.document_key()) != ResourceKind::offer;
}

Result<StoredResource> StoredResource::decode(const Document& document) {
  const Value body = document.body.unpack();
  StoredResource resource{.key = document.document_key(), .content = {}};
  const ResourceKind kind = kind_of(resource.key);
  std::vector<std::string_view> texts{"id"};
  if (is_script(kind)) texts.push_back("body");
  if (kind == ResourceKind::permission) texts.insert(texts.end(), {"permissionMode", "resource"});
  for (const std::string_view name : texts) {
    if (!body.member(name).is(Kind::text)) return not_as_written(name);
  }
  resource.content = body.object();
  resource.number = number_of(document);
  resource.created_at = document.created_at;
  resource.changed_at = document.version.written_at;
  return resource;
}

DocumentKey stored_key(ResourceKind kind, BytesView owner_rid, std::string id) {
  Bytes routing(owner_rid);
  routing += static_cast<char>(kind);
  return {std::move(routing), std::move(id)};
}

Result<Owner> find_owner(CosmosCall& call, const Catalog& catalog, View& view) {
  const Address& address = call.address;
  if (is_script(address.kind)) {
    const ContainerPtr container = TRY(call.containers.find(catalog, address));
    return Owner{container->database, container->rid, container->self_link()};
  }
  const DatabaseInfoPtr database = TRY(Containers::find_database(catalog, address));
  Owner owner{database, database_rid(database->id), {}};
  owner.self_link = "dbs/" + render_rid(owner.rid) + '/';
  if (row_of(address.kind).owner == ResourceKind::database) return owner;
  CosmosCall of_user{call.request,     call.services, call.keys, call.containers,
                     call.rid_numbers, address,       {}};
  of_user.address.kind = ResourceKind::user;
  const StoredResource user = TRY(find_stored(of_user, owner, view));
  const Bytes rid = rid_of_stored(ResourceKind::user, owner, user);
  return Owner{database, rid, owner.self_link + "users/" + render_rid(rid) + '/'};
}

Result<StoredResource> find_stored(const CosmosCall& call, const Owner& owner, View& view) {
  const ResourceKind kind = call.address.kind;
  const std::string& name = call.address.name_of(kind);
  const auto resources = Resources::find(view.catalog(), owner.database->id);
  auto found = TRY(resources.get(view, stored_key(kind, owner.rid, name)));
  if (const auto rid = parse_rid(name); !found && rid) {
    for (StoredResource& one : TRY(list_stored(*owner.database, kind, owner.rid, view))) {
      if (rid_of_stored(kind, owner, one) == *rid) found = std::move(one);
    }
  }
  if (!found) return tl::unexpected(no_such_resource());
  TRY(check_same_resource(call, found->created_at));
  return *std::move(found);
}

Result<std::vector<StoredResource>> list_stored(const DatabaseInfo& database, ResourceKind kind,
                                                BytesView owner_rid, View& view) {
  const auto keys = query::keys_of_routing(stored_key(kind, owner_rid, "-").routing);
  const auto resources = Resources::find(view.catalog(), database.id);
  return resources.list(view, {.from = keys.from, .to = keys.to});
}

Result<void> drop_stored(CosmosCall& call, const DatabaseInfo& database, BytesView owner_rid) {
  const auto resources = Resources::find(*call.database().catalog(), database.id);
  if (!resources) return {};
  // Removes the rows in as many commits as needed.
  for (bool more = true; more;) {
    TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
      more = false;
      bool has_removed = false;
      const auto remove = [&](const Document& document) -> Result<bool> {
        const DocumentKey key = document.document_key();
        if (!key.routing.starts_with(owner_rid)) return true;
        auto removed = resources.remove(transaction, key);
        more = transaction.is_full() && has_removed;
        if (more) return false;
        TRY(removed);
        has_removed = true;
        return true;
      };
      return transaction.view().each(*resources.collection(), remove);
    }));
  }
  return {};
}

// A user's rid has 31 bits, too few for numbers derived from the time.
Result<std::uint64_t> new_number(CosmosCall& call, ResourceKind kind, const Owner& owner,
                                 Transaction& transaction) {
  if (kind != ResourceKind::user) return call.rid_numbers.next(transaction.now());
  constexpr std::uint64_t numbers = std::uint64_t{1} << 31;
  View& view = transaction.view();
  std::set<Bytes> taken;
  for (const StoredResource& user : TRY(list_stored(*owner.database, kind, owner.rid, view))) {
    taken.insert(rid_of_stored(kind, owner, user));
  }
  for (std::size_t i = 0; i < limits::user_numbers_tried_max; ++i) {
    const std::uint64_t number = call.services.random.below(numbers);
    const Bytes rid = user_rid(owner.database->id, static_cast<std::uint32_t>(number));
    if (taken.contains(rid)) continue;
    const auto left = TRY(list_stored(*owner.database, ResourceKind::permission, rid, view));
    if (left.empty()) return number;
  }
  return fail(Code::internal, "no number is left for a user");
}

Bytes rid_of_stored(ResourceKind kind, const Owner& owner, const StoredResource& resource) {
  if (kind == ResourceKind::user) {
    return user_rid(owner.database->id, static_cast<std::uint32_t>(resource.number));
  }
  return child_rid(owner.rid, kind, resource.number);
}

void render_stored(const CosmosCall& call, ResourceKind kind, const Owner& owner,
                   const StoredResource& resource, std::string& out) {
  const Bytes rid = rid_of_stored(kind, owner, resource);
  const std::string self =
      owner.self_link + std::string(row_of(kind).segment) + '/' + render_rid(rid) + '/';
  JsonWriter json(out);
  json.begin_object();
  json.members(resource.content);
  render_system_properties({.rid = rid, .self = self, .changed_at = resource.changed_at}, json);
  if (kind == ResourceKind::user) json.member("_permissions", "permissions/");
  if (kind == ResourceKind::permission) json.member("_token", issue_token(call, resource.content));
  json.end_object();
}

Result<Object> check_stored(ResourceKind kind, const Value& body) {
  if (!body.is(Kind::object)) return tl::unexpected(bad_request("The body must be an object."));
  TRY(read_name(body));
  if (is_script(kind)) TRY(check_script(kind, body));
  if (kind == ResourceKind::permission) TRY(check_permission(body));
  if (kind == ResourceKind::client_encryption_key) TRY(check_encryption_key(body));
  Object kept = body.object();
  for (const std::string_view name : {"_rid", "_self", "_etag", "_ts", "_token", "_permissions"}) {
    kept.remove(name);
  }
  return kept;
}

}  // namespace mayfly::cosmos
