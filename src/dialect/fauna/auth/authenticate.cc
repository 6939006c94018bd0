#include "dialect/fauna/auth/authenticate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/crypto/crypto.h"
#include "dialect/fauna/auth/secrets.h"
#include "dialect/fauna/schema/system.h"

namespace mayfly::fauna {
namespace {

tl::unexpected<Error> refused(std::string reason) {
  return fail(Code::unauthenticated, std::move(reason));
}

// Shortens a name that a client sent, for the log.
std::string shown(std::string_view name) {
  constexpr std::size_t shown_bytes_max = 64;
  return fmt::format("`{}`", name.substr(0, shown_bytes_max));
}

tl::unexpected<Error> unknown_secret(const RootSecret& root) {
  constexpr std::string_view unknown =
      "no key or token has this secret: it never had one, was deleted, or its ttl has passed";
  if (!root.is_closed()) return refused(std::string(unknown));
  return refused(
      fmt::format("{}; the root has no secret, because fauna.secret is not set and "
                  "another setting closes the server",
                  unknown));
}

tl::unexpected<Error> unknown_database(const DatabasePath& database_path) {
  return refused(fmt::format("there is no database {}", shown(database_path.core_name())));
}

// The secret after `Bearer `, or the user name of `Basic `.
std::optional<std::string> token_of(const net::Request& request) {
  const std::string* header = request.header("authorization");
  if (header == nullptr) return std::nullopt;
  const std::size_t space = header->find(' ');
  if (space == std::string::npos) return std::nullopt;
  std::string scheme = header->substr(0, space);
  std::transform(scheme.begin(), scheme.end(), scheme.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const std::size_t begin = header->find_first_not_of(' ', space);
  if (begin == std::string::npos) return std::nullopt;
  const std::string rest = header->substr(begin);
  if (scheme == "bearer") return rest;
  if (scheme != "basic") return std::nullopt;
  const auto decoded = decode_base64(rest);
  if (!decoded) return std::nullopt;
  return decoded->substr(0, decoded->rfind(':'));
}

// SECRET, SECRET:role, SECRET:path:role.
struct Scoped {
  std::string secret;
  std::optional<std::string> path;
  std::optional<std::string> role;
};

Scoped split(const std::string& token) {
  Scoped scoped;
  const std::size_t first = token.find(':');
  scoped.secret = token.substr(0, first);
  if (first == std::string::npos) return scoped;
  const std::string rest = token.substr(first + 1);
  const std::size_t second = rest.find(':');
  if (second == std::string::npos) {
    scoped.role = rest;
  } else {
    scoped.path = rest.substr(0, second);
    scoped.role = rest.substr(second + 1);
  }
  return scoped;
}

std::string text_in(const Document& document, std::string_view name) {
  const Value member = document.body.member(name);
  return member.is(Kind::text) ? member.text() : std::string();
}

// The key or token with the hash of the secret, and its database.
struct FoundSecret {
  DatabaseInfoPtr database;
  std::string collection;
  Document document;
};

Result<std::optional<FoundSecret>> find_secret(View& view, const std::string& secret) {
  const Catalog& catalog = view.catalog();
  const CollectionPtr table = find_secrets_table(catalog);
  if (!table) return std::nullopt;
  const auto row = TRY(view.get(*table, DocumentKey::of(hash_of_secret(secret)), view.live()));
  if (!row) return std::nullopt;
  const Value database = row->body.member("database");
  if (!database.is(Kind::integer)) return std::nullopt;
  FoundSecret found{catalog.database(static_cast<DatabaseId>(database.integer())),
                    text_in(*row, "collection"),
                    {}};
  const SystemCollection* const of = find_system(found.collection);
  if (!found.database || of == nullptr) return std::nullopt;
  const CollectionPtr documents = catalog.find_internal(found.database->id, system_table);
  if (!documents) return std::nullopt;
  auto document = TRY(view.get(*documents, system_key(*of, text_in(*row, "id")), view.live()));
  if (!document || !is_secret_of(*document, secret)) return std::nullopt;
  found.document = *std::move(document);
  return found;
}

Result<Principal> principal_of_key(const FoundSecret& found) {
  Principal principal{.database_path = database_path_of(found.database->name)};
  const std::string child = text_in(found.document, "database");
  if (!child.empty()) principal.database_path = principal.database_path.child(child);
  const std::string role = text_in(found.document, "role");
  if (const auto built_in = built_in_role(role)) {
    principal.role = *built_in;
  } else {
    principal.roles.push_back(role);
  }
  return principal;
}

Result<Principal> principal_of(const FoundSecret& found, View& view) {
  if (found.collection == "Key") return principal_of_key(found);
  const Value document = found.document.body.member("document");
  constexpr const char* gone = "the document that the token is for is not there any more";
  if (!document.is(Kind::reference)) return refused(gone);
  const Reference& reference = document.reference();
  const CollectionPtr of = view.catalog().find_collection(found.database->id, reference.collection);
  if (!of) return refused(gone);
  const auto named = TRY(view.get(*of, DocumentKey::of(reference.id), view.live()));
  if (!named || !is_made_for(found.document, *named)) return refused(gone);
  Principal principal{.database_path = database_path_of(found.database->name)};
  principal.identity = DocumentHandle{.collection = reference.collection, .id = reference.id};
  principal.token =
      DocumentHandle{.collection = "Token", .id = std::string(id_in_table(found.document.id))};
  return principal;
}

tl::unexpected<Error> unknown_role(std::string_view role) {
  return refused(
      fmt::format("{} is no role: it is admin, server, server-readonly, client, "
                  "@role/NAME or @doc/COLLECTION/ID",
                  shown(role)));
}

// Applies the scope in an administrator's secret.
Result<Principal> scoped(Principal principal, const Scoped& secret_parts) {
  if (!secret_parts.role) return principal;
  const bool names_document = secret_parts.role->starts_with("@doc/");
  if (!principal.is_admin() &&
      !(principal.role == BuiltInRole::server && names_document && !secret_parts.path)) {
    return refused("a scope (`:ROLE`, `:PATH:ROLE`) needs a secret of the role admin");
  }
  if (secret_parts.path) {
    if (secret_parts.path->empty()) return refused("the scope has an empty path of a database");
    for (std::string& name : split_path(*secret_parts.path))
      principal.database_path = principal.database_path.child(std::move(name));
    // Every database has exactly one path: `fauna` is no child of the root, and `a.b` is no child
    // of the root either.
    if (database_path_of(principal.database_path.core_name()) != principal.database_path)
      return unknown_database(principal.database_path);
  }
  principal.is_root = false;
  if (const auto role = built_in_role(*secret_parts.role)) {
    principal.role = *role;
  } else if (secret_parts.role->starts_with("@role/")) {
    principal.role = BuiltInRole::none;
    principal.roles = {secret_parts.role->substr(6)};
  } else if (names_document) {
    const auto parts = split_path(secret_parts.role->substr(5));
    if (parts.size() != 2) return unknown_role(*secret_parts.role);
    principal.role = BuiltInRole::none;
    principal.identity = DocumentHandle{.collection = parts[0], .id = parts[1]};
  } else {
    return unknown_role(*secret_parts.role);
  }
  return principal;
}

}  // namespace

std::optional<BuiltInRole> built_in_role(std::string_view name) {
  if (name == "admin") return BuiltInRole::admin;
  if (name == "server") return BuiltInRole::server;
  if (name == "server-readonly") return BuiltInRole::server_readonly;
  if (name == "client") return BuiltInRole::client;
  return std::nullopt;
}

RootSecret::RootSecret(const Credentials& server, const FaunaOptions& own) : secret_(own.secret) {
  if (secret_.empty() && server.is_open()) secret_ = well_known_secret;
}

// The time depends only on the length of the given secret, not on the root secret.
bool RootSecret::is(std::string_view secret) const {
  if (secret_.empty()) return false;
  volatile unsigned char differs = secret.size() == secret_.size() ? 0 : 1;
  for (std::size_t i = 0; i < secret.size(); ++i) {
    differs = differs | static_cast<unsigned char>(secret[i] ^ secret_[i % secret_.size()]);
  }
  return differs == 0;
}

namespace {

// The identity must be live in the principal's database, and roles of the schema must exist;
// otherwise the secret is unknown.
Result<void> check_scope(Principal& principal, const Catalog& catalog, View* view) {
  const DatabaseInfoPtr of = catalog.find_database(principal.database_path.core_name());
  if (!of) {
    const bool must_be_created = principal.database_path.is_root() && !principal.identity;
    return must_be_created ? Result<void>() : unknown_database(principal.database_path);
  }
  if (principal.identity) {
    const CollectionPtr in = catalog.find_collection(of->id, principal.identity->collection);
    const DocumentKey key = DocumentKey::of(principal.identity->id);
    const auto missing = [&] {
      const DocumentHandle& named = *principal.identity;
      return refused(fmt::format("there is no document {} in the database {}",
                                 shown(named.collection + "/" + named.id),
                                 shown(principal.database_path.core_name())));
    };
    if (!in || !check(key)) return missing();
    const auto document = TRY(view->get(*in, key, view->live()));
    if (!document) return missing();
    principal.identity_created_at = document->created_at;
  }
  for (const std::string& role : principal.roles) {
    const CollectionPtr table = catalog.find_internal(of->id, system_table);
    const DocumentKey key = system_key(*find_system("Role"), role);
    if (!table || !check(key) || !TRY(view->get(*table, key, view->live()))) {
      return refused(fmt::format("there is no role {} in the database {}", shown(role),
                                 shown(principal.database_path.core_name())));
    }
  }
  return {};
}

}  // namespace

bool has_jwt(const net::Request& request) {
  const auto token = token_of(request);
  return token && token->starts_with("ey") && token->find('.') != token->npos;
}

Result<Principal> authenticate(const net::Request& request, const RootSecret& root,
                               Database& database) {
  const auto token = token_of(request);
  if (!token) return refused("the header Authorization has no Bearer or Basic secret");
  const Scoped secret_parts = split(*token);
  Principal principal;
  std::optional<View> view;
  if (root.is(secret_parts.secret)) {
    principal.role = BuiltInRole::admin;
    principal.is_root = true;
  } else {
    view.emplace(database.view());
    const auto found = TRY(find_secret(*view, secret_parts.secret));
    if (!found) return unknown_secret(root);
    principal = TRY(principal_of(*found, *view));
    principal.until = found->document.death;
  }
  principal = TRY(scoped(std::move(principal), secret_parts));
  // Only the root secret has no document.
  if (!view && (principal.identity || !principal.roles.empty())) view.emplace(database.view());
  const CatalogPtr catalog = view ? view->catalog_ptr() : database.catalog();
  TRY(check_scope(principal, *catalog, view ? &*view : nullptr));
  return principal;
}

}  // namespace mayfly::fauna
