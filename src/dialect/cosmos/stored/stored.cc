#include "dialect/cosmos/stored/stored.h"

#include <algorithm>
#include <set>

#include "dialect/cosmos/documents/document.h"
#include "dialect/cosmos/documents/rid_numbers.h"
#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/names.h"
#include "dialect/cosmos/rid.h"
#include "dialect/cosmos/stored/tokens.h"
#include "dialect/cosmos/system_properties.h"
#include "dialect/cosmos/text.h"
#include "query/run.h"
#include "value/json.h"
#include "value/packed.h"

namespace mayfly::cosmos {
namespace {

// Clients write `Pre` or `pre`; what they wrote is told them again.
bool is_one_of(const Value& value, std::initializer_list<std::string_view> words) {
  return value.is(Kind::text) &&
         std::any_of(words.begin(), words.end(), [&value](std::string_view word) {
           return equal_in_any_case(word, value.text());
         });
}

Result<void> check_script(ResourceKind kind, const Value& body) {
  if (!body.member("body").is(Kind::text)) {
    return tl::unexpected(bad_request("A script must have a body.", "body"));
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

query::QueryPtr all_of_routing(const CollectionPtr& collection, const View& view, Bytes routing) {
  return query::scan(collection, view.live(), std::move(routing));
}

}  // namespace

bool is_script(ResourceKind kind) {
  return kind == ResourceKind::stored_procedure || kind == ResourceKind::trigger ||
         kind == ResourceKind::user_function;
}

Result<std::vector<Document>> read_all(const query::QueryPtr& wanted, View& view) {
  std::vector<Document> documents;
  query::RunOptions options{.rows_max = limits::page_rows_max};
  while (true) {
    const query::RowsPage page = TRY(query::answer(wanted, view, options));
    for (const query::Row& row : page.rows) documents.push_back(*row.document);
    if (!page.next) return documents;
    options.bookmark = page.next;
  }
}

CollectionPtr resources_of(const Catalog& catalog, const DatabaseInfo& database) {
  return catalog.find_internal(database.id, resources_name);
}

Result<CollectionPtr> make_resources(Database& database, const DatabaseInfo& owner) {
  const CollectionSpec spec{
      .name = std::string(resources_name), .promises = {}, .indexes = {}, .is_internal = true};
  return database.ensure_collection(owner.id, spec);
}

DocumentKey stored_key(ResourceKind kind, BytesView owner_rid, std::string id) {
  Bytes routing(owner_rid);
  routing += static_cast<char>(kind);
  return {std::move(routing), std::move(id)};
}

Result<Owner> find_owner(Call& call, const Catalog& catalog, View& view) {
  const Address& address = call.address;
  if (is_script(address.kind)) {
    const ContainerPtr container = TRY(call.containers.find(catalog, address));
    return Owner{container->database, container->rid, container->self_link()};
  }
  const DatabaseInfoPtr database = TRY(Containers::find_database(catalog, address));
  Owner owner{database, database_rid(database->id), {}};
  owner.self_link = "dbs/" + render_rid(owner.rid) + '/';
  if (address.kind == ResourceKind::user) return owner;
  Call of_user{call.request,     call.services, call.keys, call.containers,
               call.rid_numbers, address,       {}};
  of_user.address.kind = ResourceKind::user;
  const Document user = TRY(find_stored(of_user, owner, view));
  const Bytes rid = rid_of_stored(ResourceKind::user, owner, user);
  return Owner{database, rid, owner.self_link + "users/" + render_rid(rid) + '/'};
}

Result<Document> find_stored(const Call& call, const Owner& owner, View& view) {
  const CollectionPtr collection = resources_of(view.catalog(), *owner.database);
  if (!collection) return tl::unexpected(no_such_resource());
  const ResourceKind kind = call.address.kind;
  const std::string& name = call.address.name_of(kind);
  const auto named = TRY(view.get(*collection, stored_key(kind, owner.rid, name), view.live()));
  if (named) {
    TRY(check_was_there(call, named->created_at));
    return *named;
  }
  const auto rid = parse_rid(name);
  if (!rid) return tl::unexpected(no_such_resource());
  for (const Document& document : TRY(list_stored(*owner.database, kind, owner.rid, view))) {
    if (rid_of_stored(kind, owner, document) != *rid) continue;
    TRY(check_was_there(call, document.created_at));
    return document;
  }
  return tl::unexpected(no_such_resource());
}

Result<std::vector<Document>> list_stored(const DatabaseInfo& database, ResourceKind kind,
                                          BytesView owner_rid, View& view) {
  const CollectionPtr collection = resources_of(view.catalog(), database);
  if (!collection) return std::vector<Document>();
  return read_all(all_of_routing(collection, view, stored_key(kind, owner_rid, "-").routing), view);
}

Result<void> drop_stored(Call& call, const DatabaseInfo& database, BytesView owner_rid) {
  const CollectionPtr collection = resources_of(*call.database().catalog(), database);
  if (!collection) return {};
  // In as many commits as they need.
  for (bool more = true; more;) {
    TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
      View& view = transaction.view();
      const auto all = query::scan(collection, view.live(), std::nullopt);
      more = false;
      bool has_removed = false;
      for (const Document& document : TRY(read_all(all, view))) {
        const DocumentKey key = document.document_key();
        if (!key.routing.starts_with(owner_rid)) continue;
        auto removed = transaction.remove(collection, key, {.is_final = true});
        more = transaction.is_full() && has_removed;
        if (more) break;
        TRY(removed);
        has_removed = true;
      }
      return {};
    }));
  }
  return {};
}

// A user's rid has room for 31 bits, too few for the numbers that grow with time.
Result<std::uint64_t> new_number(Call& call, ResourceKind kind, const Owner& owner,
                                 Transaction& transaction) {
  if (kind != ResourceKind::user) return call.rid_numbers.next(transaction.now());
  constexpr std::uint64_t numbers = std::uint64_t{1} << 31;
  View& view = transaction.view();
  std::set<Bytes> taken;
  for (const Document& user : TRY(list_stored(*owner.database, kind, owner.rid, view))) {
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

Bytes rid_of_stored(ResourceKind kind, const Owner& owner, const Document& document) {
  const std::uint64_t number = number_of(document);
  if (kind == ResourceKind::user) {
    return user_rid(owner.database->id, static_cast<std::uint32_t>(number));
  }
  return child_rid(owner.rid, kind, number);
}

void render_stored(const Call& call, ResourceKind kind, const Owner& owner,
                   const Document& document, std::string& out) {
  const Bytes rid = rid_of_stored(kind, owner, document);
  const std::string self =
      owner.self_link + std::string(row_of(kind).segment) + '/' + render_rid(rid) + '/';
  out += '{';
  document.body.render_members(out);
  render_system_properties({.rid = rid, .self = self, .changed_at = document.version.written_at},
                           out);
  if (kind == ResourceKind::user) out += R"(,"_permissions":"permissions/")";
  if (kind == ResourceKind::permission) {
    out += R"(,"_token":)";
    render_json_text(issue_token(call, document.body.unpack()), out);
  }
  out += '}';
}

Result<Value> check_stored(ResourceKind kind, const Value& body) {
  if (!body.is(Kind::object)) return tl::unexpected(bad_request("The body must be an object."));
  TRY(read_name(body));
  if (is_script(kind)) TRY(check_script(kind, body));
  if (kind == ResourceKind::permission) TRY(check_permission(body));
  Value kept = body;
  for (const std::string_view name : {"_rid", "_self", "_etag", "_ts", "_token", "_permissions"}) {
    kept.mutable_object().remove(name);
  }
  return kept;
}

}  // namespace mayfly::cosmos
