#include "dialect/kuzzle/requests/routes.h"

#include <algorithm>

#include "dialect/kuzzle/actions.h"
#include "dialect/kuzzle/limits.h"
#include "dialect/kuzzle/memory/memory.h"
#include "dialect/kuzzle/security/store.h"

namespace mayfly::kuzzle {
namespace {
namespace rows {

using enum RouteEffect;
using enum RightsChange;
constexpr net::Pace quick = net::Pace::quick;
constexpr net::Pace slow = net::Pace::worker;
constexpr net::Pace costly = net::Pace::costly;

// clang-format off: one row a line
constexpr Route table[] = {
    {"document", "get", get_document, quick, read, {"GET /:index/:collection/:_id"}},
    {"document", "exists", document_exists, quick, read, {"GET /:index/:collection/:_id/_exists"}},
    {"document", "create", create_document, quick, write,
     {"POST /:index/:collection/_create", "POST /:index/:collection/:_id/_create"}},
    {"document", "createOrReplace", create_or_replace_document, quick, write,
     {"PUT /:index/:collection/:_id"}},
    {"document", "replace", replace_document, quick, write,
     {"PUT /:index/:collection/:_id/_replace"}},
    {"document", "update", update_document, quick, write,
     {"PUT /:index/:collection/:_id/_update", "PATCH /:index/:collection/:_id/_update"}},
    {"document", "upsert", upsert_document, quick, write,
     {"POST /:index/:collection/:_id/_upsert", "PUT /:index/:collection/:_id/_upsert"}},
    {"document", "delete", delete_document, quick, write, {"DELETE /:index/:collection/:_id"}},
    {"document", "deleteFields", delete_fields, quick, write,
     {"DELETE /:index/:collection/:_id/_fields"}},
    {"document", "mGet", get_many, slow, read,
     {"POST /:index/:collection/_mGet", "GET /:index/:collection/_mGet"}},
    {"document", "mExists", exist_many, slow, read, {"POST /:index/:collection/_mExists"}},
    {"document", "mCreate", create_many, slow, write, {"POST /:index/:collection/_mCreate"}},
    {"document", "mCreateOrReplace", create_or_replace_many, slow, write,
     {"PUT /:index/:collection/_mCreateOrReplace"}},
    {"document", "mReplace", replace_many, slow, write, {"PUT /:index/:collection/_mReplace"}},
    {"document", "mUpdate", update_many, slow, write,
     {"PUT /:index/:collection/_mUpdate", "PATCH /:index/:collection/_mUpdate"}},
    {"document", "mUpsert", upsert_many, slow, write, {"POST /:index/:collection/_mUpsert"}},
    {"document", "mDelete", delete_many, slow, write, {"DELETE /:index/:collection/_mDelete"}},
    {"document", "search", search_documents, slow, read,
     {"POST /:index/:collection/_search", "POST /_search", "GET /:index/:collection/_search",
      "GET /:index/:collection"}},
    {"document", "scroll", continue_scroll, slow, read,
     {"GET /_scroll/:scrollId", "POST /_scroll/:scrollId"}},
    {"document", "count", count_documents, slow, read, {"POST /:index/:collection/_count"}},
    {"document", "deleteByQuery", delete_by_query, slow, write,
     {"DELETE /:index/:collection/_query"}},
    {"document", "updateByQuery", update_by_query, slow, write, {"PUT /:index/:collection/_query"}},
    {"document", "validate", validate_document, quick, read,
     {"POST /:index/:collection/_validate"}},
    {"document", "export", export_documents, slow, read,
     {"POST /:index/:collection/_export", "GET /:index/:collection/_export"}},

    {"trash", "restore", restore_document, quick, write, {"PUT /:index/:collection/:_id/_restore"}},
    {"trash", "empty", empty_trash, slow, write, {"DELETE /:index/:collection/_trash"}},

    {"collection", "exists", collection_exists, quick, read, {"GET /:index/:collection/_exists"}},
    {"collection", "getMapping", get_mapping, quick, read,
     {"GET /:index/:collection/_mapping", "GET /:index/:collection/_mappings"}},
    {"collection", "updateMapping", update_collection, slow, admin,
     {"PUT /:index/:collection/_mapping"}},
    {"collection", "list", list_collections, quick, read,
     {"GET /:index/_list", "GET /:index/_list/:type"}},
    {"collection", "create", create_collection, slow, admin, {"PUT /:index/:collection"}},
    {"collection", "update", update_collection, slow, admin, {"POST /:index/:collection"}},
    {"collection", "truncate", truncate_collection, slow, write,
     {"DELETE /:index/:collection/_truncate"}},
    {"collection", "refresh", refresh_collection, quick, write,
     {"POST /:index/:collection/_refresh"}},
    {"collection", "delete", delete_collection, slow, admin, {"DELETE /:index/:collection"}},
    {"collection", "getSettings", get_settings, quick, read, {"GET /:index/:collection/_settings"}},
    {"collection", "getSpecifications", get_specifications, quick, read,
     {"GET /:index/:collection/_specifications"}},
    {"collection", "updateSpecifications", update_specifications, slow, admin,
     {"PUT /:index/:collection/_specifications", "PUT /_specifications"}},
    {"collection", "validateSpecifications", validate_specifications, quick, read,
     {"POST /:index/:collection/_validateSpecifications", "POST /_validateSpecifications"}},
    {"collection", "deleteSpecifications", delete_specifications, slow, admin,
     {"DELETE /:index/:collection/_specifications"}},
    {"collection", "searchSpecifications", search_specifications, slow, read,
     {"POST /validations/_search"}},
    {"collection", "scrollSpecifications", scroll_specifications, slow, read,
     {"GET /validations/_scroll/:scrollId"}},

    {"realtime", "subscribe", subscribe, quick, read},
    {"realtime", "join", join, quick, read},
    {"realtime", "unsubscribe", unsubscribe, quick, read},
    {"realtime", "count", count_subscribers, quick, read},
    {"realtime", "validate", validate_document, quick, read},
    {"realtime", "list", list_subscriptions, slow, read, {"GET /_listSubscriptions"}},
    {"realtime", "publish", publish, quick, write, {"POST /:index/:collection/_publish"}},

    {"index", "list", list_indexes, quick, read, {"GET /_list"}},
    {"index", "exists", index_exists, quick, read, {"GET /:index/_exists"}},
    {"index", "create", create_index, slow, admin, {"POST /:index/_create"}},
    {"index", "delete", delete_index, slow, admin, {"DELETE /:index"}},
    {"index", "mDelete", delete_indexes, slow, admin, {"DELETE /_mdelete", "DELETE /_mDelete"}},
    {"index", "refresh", refresh_index, quick, write, {"POST /:index/_refresh"}},
    {"index", "refreshInternal", refresh_internal, quick, write, {"POST /_refreshInternal"}},
    {"index", "getAutoRefresh", get_auto_refresh, quick, read, {"GET /:index/_autoRefresh"}},
    {"index", "setAutoRefresh", set_auto_refresh, slow, admin, {"POST /:index/_autoRefresh"}},
    {"index", "stats", index_statistics, slow, read, {"GET /_storageStats"}},

    {"bulk", "import", import_bulk, slow, write,
     {"POST /:index/:collection/_bulk", "POST /:index/_bulk", "POST /_bulk"}},
    {"bulk", "write", write_with_metadata, quick, write,
     {"POST /:index/:collection/_write", "POST /:index/:collection/:_id/_write"}},
    {"bulk", "mWrite", write_many_with_metadata, slow, write, {"POST /:index/:collection/_mWrite"}},
    {"bulk", "deleteByQuery", bulk_delete_by_query, slow, write,
     {"DELETE /:index/:collection/_bulk/_query"}},
    {"bulk", "updateByQuery", bulk_update_by_query, slow, write,
     {"PATCH /:index/:collection/_bulk/_query"}},

    {"admin", "resetCache", reset_cache, slow, admin, {"POST /admin/_resetCache"}},
    {"admin", "resetDatabase", reset_database, slow, admin, {"POST /admin/_resetDatabase"}},
    {"admin", "resetSecurity", reset_security, slow, admin,
     {"POST /admin/_resetSecurity"}, {.change = rights}},
    {"admin", "resetKuzzleData", reset_kuzzle_data, slow, admin,
     {"POST /admin/_resetKuzzleData"}, {.change = in_steps}},
    {"admin", "loadMappings", load_mappings, slow, admin, {"POST /admin/_loadMappings"}},
    {"admin", "loadFixtures", load_fixtures, slow, admin, {"POST /admin/_loadFixtures"}},
    {"admin", "loadSecurities", load_securities, costly, admin,
     {"POST /admin/_loadSecurities"}, {.change = rights}},
    {"admin", "dump", dump, quick, admin, {"POST /admin/_dump"}},
    {"admin", "shutdown", shut_down, quick, admin, {"POST /admin/_shutdown"}},
    {"admin", "refreshIndexCache", refresh_index_cache, quick, admin,
     {"POST /admin/_refreshIndexCache"}},

    {"server", "info", get_server_info, quick, open, {"GET /", "GET /_serverInfo"}},
    {"server", "publicApi", get_public_api, quick, open, {"GET /_publicApi"}},
    {"server", "now", get_server_time, quick, open, {"GET /_now"}},
    {"server", "healthCheck", check_health, quick, open,
     {"GET /_healthCheck", "GET /_healthcheck"}, {.is_urgent = true}},
    {"server", "adminExists", admin_exists, slow, open, {"GET /_adminExists"}},
    {"server", "capabilities", get_capabilities, quick, open, {"GET /_capabilities"}},
    {"server", "getConfig", get_config, quick, read, {"GET /_getConfig"}},
    {"server", "openapi", get_open_api, slow, read, {"GET /_openapi"}},
    {"server", "metrics", get_metrics, slow, read, {"GET /_metrics"}},
    {"server", "getStats", get_stats, slow, read, {"GET /_getStats", "POST /_getStats"}},
    {"server", "getLastStats", get_last_stats, quick, read, {"GET /_getLastStats"}},
    {"server", "getAllStats", get_all_stats, slow, read, {"GET /_getAllStats"}},

    {"cluster", "status", cluster_status, quick, read, {"GET /cluster/_status"}},

    {"debug", "nodeVersion", debug, quick, read, {"GET /debug/_nodeVersion"}},
    {"debug", "enable", debug, quick, admin, {"POST /debug/_enable"}},
    {"debug", "disable", debug, quick, admin, {"POST /debug/_disable"}},
    {"debug", "post", debug, quick, admin, {"POST /debug/_post"}},
    {"debug", "addListener", debug, quick, admin},
    {"debug", "removeListener", debug, quick, admin},

    {"auth", "checkToken", check_token, quick, open, {"POST /_checkToken"}, {.judges_token = true}},
    {"auth", "login", log_in, costly, open,
     {"POST /_login/:strategy", "GET /_login/:strategy"},
     {.body_bytes_max = limits::message_before_login_bytes_max}},
    {"auth", "getStrategies", get_strategies, quick, open, {"GET /strategies"}},
    {"auth", "logout", log_out, slow, write,
     {"POST /_logout"}, {.change = own_token, .ends_login = true}},
    {"auth", "refreshToken", refresh_token, slow, write,
     {"POST /_refreshToken"}, {.change = own_token}},
    {"auth", "createToken", create_token, slow, write, {"POST /_createToken"}},
    {"auth", "getCurrentUser", get_current_user, quick, read,
     {"GET /users/_me", "GET /_me"}, {.stays_after_reset = true}},
    {"auth", "getMyRights", get_my_rights, quick, read,
     {"GET /users/_me/_rights", "GET /_me/_rights"}, {.stays_after_reset = true}},
    {"auth", "updateSelf", update_self, quick, write, {"PUT /_updateSelf", "PUT /_me"}},
    {"auth", "credentialsExist", have_credentials, slow, read,
     {"GET /credentials/:strategy/_me/_exists", "GET /_me/credentials/:strategy/_exists"},
     {.is_of_caller = true}},
    {"auth", "getMyCredentials", get_credentials, slow, read,
     {"GET /credentials/:strategy/_me", "GET /_me/credentials/:strategy"}, {.is_of_caller = true}},
    {"auth", "createMyCredentials", create_credentials, costly, write,
     {"POST /credentials/:strategy/_me/_create", "POST /_me/credentials/:strategy/_create"},
     {.is_of_caller = true}},
    {"auth", "updateMyCredentials", update_credentials, costly, write,
     {"PUT /credentials/:strategy/_me/_update", "PUT /_me/credentials/:strategy/_update"},
     {.is_of_caller = true}},
    {"auth", "deleteMyCredentials", delete_credentials, slow, write,
     {"DELETE /credentials/:strategy/_me", "DELETE /_me/credentials/:strategy"},
     {.is_of_caller = true}},
    {"auth", "validateMyCredentials", validate_credentials, slow, read,
     {"POST /credentials/:strategy/_me/_validate", "POST /_me/credentials/:strategy/_validate"},
     {.is_of_caller = true}},
    {"auth", "createApiKey", create_api_key, slow, write,
     {"POST /api-keys/_create", "POST /_me/api-keys/_create"}, {.is_of_caller = true}},
    {"auth", "searchApiKeys", search_api_keys, slow, read,
     {"POST /api-keys/_search", "POST /_me/api-keys/_search"}, {.is_of_caller = true}},
    {"auth", "deleteApiKey", delete_api_key, slow, write,
     {"DELETE /api-keys/:_id", "DELETE /_me/api-keys/:_id"},
     {.change = rights, .is_of_caller = true}},
    {"auth", "checkRights", check_rights, slow, read,
     {"POST /_checkRights"}, {.is_of_caller = true}},

    {"security", "createApiKey", create_api_key, slow, admin,
     {"POST /users/:userId/api-keys/_create"}, {.change = rights}},
    {"security", "searchApiKeys", search_api_keys, slow, read,
     {"POST /users/:userId/api-keys/_search"}},
    {"security", "deleteApiKey", delete_api_key, slow, admin,
     {"DELETE /users/:userId/api-keys/:_id"}, {.change = rights}},
    {"security", "checkRights", check_rights, slow, read, {"POST /_checkRights/:userId"}},
    {"security", "validateCredentials", validate_credentials, slow, read,
     {"POST /credentials/:strategy/:_id/_validate"}},
    {"security", "getCredentialsById", get_credentials_by_id, slow, read,
     {"GET /credentials/:strategy/:_id/_byId"}},
    {"security", "searchUsersByCredentials", search_users_by_credentials, slow, read,
     {"POST /credentials/:strategy/users/_search"}},
    {"security", "getCredentialFields", get_credential_fields, quick, read,
     {"GET /credentials/:strategy/_fields"}},
    {"security", "getAllCredentialFields", get_all_credential_fields, quick, read,
     {"GET /credentials/_fields"}},
    {"security", "getUserStrategies", get_user_strategies, slow, read,
     {"GET /users/:_id/_strategies"}},
    {"security", "refresh", refresh_security, quick, write,
     {"POST /security/:collection/_refresh", "POST /_security/:collection/_refresh"}},
    {"security", "scrollUsers", scroll_security, slow, read,
     {"GET /users/_scroll/:scrollId"}, {.objects = users}},
    {"security", "scrollProfiles", scroll_security, slow, read,
     {"GET /profiles/_scroll/:scrollId"}, {.objects = profiles}},
    {"security", "getUserMapping", get_security_mapping, slow, read,
     {"GET /users/_mapping"}, {.objects = users}},
    {"security", "getProfileMapping", get_security_mapping, slow, read,
     {"GET /profiles/_mapping"}, {.objects = profiles}},
    {"security", "getRoleMapping", get_security_mapping, slow, read,
     {"GET /roles/_mapping"}, {.objects = roles}},
    {"security", "updateUserMapping", update_security_mapping, slow, admin,
     {"PUT /users/_mapping"}, {.change = rights, .objects = users}},
    {"security", "updateProfileMapping", update_security_mapping, slow, admin,
     {"PUT /profiles/_mapping"}, {.change = rights, .objects = profiles}},
    {"security", "updateRoleMapping", update_security_mapping, slow, admin,
     {"PUT /roles/_mapping"}, {.change = rights, .objects = roles}},
    {"security", "createRestrictedUser", create_restricted_user, costly, admin,
     {"POST /users/_createRestricted", "POST /users/:_id/_createRestricted"}, {.change = rights}},
    {"security", "createCredentials", create_credentials, costly, admin,
     {"POST /credentials/:strategy/:_id/_create"}, {.change = rights}},
    {"security", "updateCredentials", update_credentials, costly, admin,
     {"PUT /credentials/:strategy/:_id/_update"}, {.change = rights}},
    {"security", "deleteCredentials", delete_credentials, slow, admin,
     {"DELETE /credentials/:strategy/:_id"}, {.change = rights}},
    {"security", "getCredentials", get_credentials, slow, read,
     {"GET /credentials/:strategy/:_id"}},
    {"security", "hasCredentials", have_credentials, slow, read,
     {"GET /credentials/:strategy/:_id/_exists"}},
    {"security", "createFirstAdmin", create_first_admin, costly, admin,
     {"POST /_createFirstAdmin", "POST /:_id/_createFirstAdmin", "POST /_createFirstAdmin/:_id"},
     {.change = rights}},
    {"security", "createUser", create_user, costly, admin,
     {"POST /users/_create", "POST /users/:_id/_create"}, {.change = rights}},
    {"security", "upsertUser", upsert_user, costly, admin,
     {"POST /users/:_id/_upsert"}, {.change = rights}},
    {"security", "revokeTokens", revoke_tokens, slow, admin,
     {"DELETE /users/:_id/tokens"}, {.change = rights}},
    {"security", "restrictDefaultRights", restrict_default_rights, slow, admin,
     {"POST /_restrictDefaultRights"}, {.change = rights}},
    {"security", "replaceUser", replace_user, slow, admin,
     {"PUT /users/:_id/_replace"}, {.change = rights}},
    {"security", "getUserRights", get_rights, slow, read,
     {"GET /users/:_id/_rights"}, {.objects = users}},
    {"security", "getProfileRights", get_rights, slow, read,
     {"GET /profiles/:_id/_rights"}, {.objects = profiles}},
    {"security", "getUser", get_security, slow, read, {"GET /users/:_id"}, {.objects = users}},
    {"security", "updateUser", update_security, slow, admin,
     {"PUT /users/:_id/_update"}, {.change = rights, .objects = users}},
    {"security", "deleteUser", delete_security, slow, admin,
     {"DELETE /users/:_id"}, {.change = rights, .objects = users}},
    {"security", "mGetUsers", get_many_security, slow, read,
     {"POST /users/_mGet", "GET /users/_mGet"}, {.objects = users}},
    {"security", "mDeleteUsers", delete_many_security, slow, admin,
     {"POST /users/_mDelete"}, {.change = rights, .objects = users}},
    {"security", "searchUsers", search_security, slow, read,
     {"POST /users/_search"}, {.objects = users}},
    {"security", "createProfile", create_security, slow, admin,
     {"POST /profiles/:_id/_create"}, {.change = rights, .objects = profiles}},
    {"security", "createOrReplaceProfile", create_or_replace_security, slow, admin,
     {"PUT /profiles/:_id"}, {.change = rights, .objects = profiles}},
    {"security", "getProfile", get_security, slow, read,
     {"GET /profiles/:_id"}, {.objects = profiles}},
    {"security", "updateProfile", update_security, slow, admin,
     {"PUT /profiles/:_id/_update"}, {.change = rights, .objects = profiles}},
    {"security", "deleteProfile", delete_security, slow, admin,
     {"DELETE /profiles/:_id"}, {.change = rights, .objects = profiles}},
    {"security", "mGetProfiles", get_many_security, slow, read,
     {"POST /profiles/_mGet"}, {.objects = profiles}},
    {"security", "mDeleteProfiles", delete_many_security, slow, admin,
     {"POST /profiles/_mDelete"}, {.change = rights, .objects = profiles}},
    {"security", "searchProfiles", search_security, slow, read,
     {"POST /profiles/_search"}, {.objects = profiles}},
    {"security", "createRole", create_security, slow, admin,
     {"POST /roles/:_id/_create"}, {.change = rights, .objects = roles}},
    {"security", "createOrReplaceRole", create_or_replace_security, slow, admin,
     {"PUT /roles/:_id"}, {.change = rights, .objects = roles}},
    {"security", "getRole", get_security, slow, read, {"GET /roles/:_id"}, {.objects = roles}},
    {"security", "updateRole", update_security, slow, admin,
     {"PUT /roles/:_id/_update"}, {.change = rights, .objects = roles}},
    {"security", "deleteRole", delete_security, slow, admin,
     {"DELETE /roles/:_id"}, {.change = rights, .objects = roles}},
    {"security", "mGetRoles", get_many_security, slow, read,
     {"POST /roles/_mGet"}, {.objects = roles}},
    {"security", "mDeleteRoles", delete_many_security, slow, admin,
     {"POST /roles/_mDelete"}, {.change = rights, .objects = roles}},
    {"security", "searchRoles", search_security, slow, read,
     {"POST /roles/_search"}, {.objects = roles}},
};
// clang-format on

}  // namespace rows
const std::vector<Route>& all_routes() {
  static const std::vector<Route> routes = [] {
    std::vector<Route> all(std::begin(rows::table), std::end(rows::table));
    const std::vector<Route> of_memory = memory::routes();
    all.insert(all.end(), of_memory.begin(), of_memory.end());
    return all;
  }();
  return routes;
}

// `/:index/:collection` as the router writes it.
std::string pattern_of(std::string_view path) {
  std::string pattern;
  for (std::size_t i = 0; i < path.size();) {
    const std::size_t end = std::min(path.find('/', i + 1), path.size());
    const std::string_view segment = path.substr(i, end - i);
    const bool is_name = segment.starts_with("/:");
    pattern += is_name ? "/{" + std::string(segment.substr(2)) + "}" : std::string(segment);
    i = end;
  }
  return pattern;
}

struct Url {
  std::string_view verb;
  std::string_view path;  // parameters as `:name`
};

Url url_of(std::string_view text) {
  const std::size_t space = text.find(' ');
  return {text.substr(0, space), text.substr(space + 1)};
}

using IsListed = bool (*)(const Route&, const Url&);

bool always(const Route&, const Url&) {
  return true;
}

// Among URLs that differ only by their verbs, some clients choose POST, or none if there is no
// POST; they are listed only the first of these. Otherwise clients choose the shortest URL and lose
// the names that it does not have. So URLs with fewer names than the first are not listed, nor
// shorter ones without a body.
bool where_clients_choose_right(const Route& route, const Url& url) {
  const Url first = url_of(route.urls.front());
  const auto names = [](std::string_view path) {
    return std::count(path.begin(), path.end(), ':');
  };
  if (names(url.path) < names(first.path)) return false;
  if (url.path != first.path) {
    return url.verb == first.verb || url.path.size() > first.path.size();
  }
  return url.verb == first.verb || url.verb == "POST" || first.verb == "POST";
}

Object describe(IsListed is_listed_url) {
  Object api;
  for (const Route& route : all_routes()) {
    Array urls;
    for (const std::string_view text : route.urls) {
      const Url url = url_of(text);
      if (text.empty() || !is_listed_url(route, url)) continue;
      urls.push_back(Object{{"url", url.path}, {"verb", url.verb}});
    }
    if (api.find(route.controller) == nullptr) api.set(route.controller, Object());
    Object& actions = api.find(route.controller)->mutable_object();
    actions.set(route.action,
                Object{{"controller", route.controller}, {"action", route.action}, {"http", urls}});
  }
  return api;
}

}  // namespace

std::span<const Route> routes() {
  return all_routes();
}

const Route* find_route(std::string_view controller, std::string_view action) {
  for (const Route& route : all_routes()) {
    if (route.controller == controller && route.action == action) return &route;
  }
  return nullptr;
}

bool has_controller(std::string_view controller) {
  const std::vector<Route>& all = all_routes();
  return std::any_of(all.begin(), all.end(),
                     [&](const Route& route) { return route.controller == controller; });
}

HttpRoutes::HttpRoutes() {
  for (const Route& route : all_routes()) {
    for (const std::string_view text : route.urls) {
      if (text.empty()) continue;
      const Url url = url_of(text);
      finder_.add(url.verb, pattern_of(url.path), route);
    }
  }
}

RouteMatch<Route> HttpRoutes::match(const net::Request& request) const {
  // Some clients write the first slash of a URL twice.
  std::string_view path = request.path;
  while (path.starts_with("//")) path.remove_prefix(1);
  return finder_.find(request.method, path);
}

Object public_api() {
  return describe(where_clients_choose_right);
}

Object whole_api() {
  return describe(always);
}

}  // namespace mayfly::kuzzle
