#include "dialect/kuzzle/requests/routes.h"

#include <algorithm>

#include "dialect/kuzzle/actions.h"
#include "dialect/kuzzle/memory/memory.h"

namespace mayfly::kuzzle {
namespace {

constexpr net::Pace quick = net::Pace::quick;
constexpr net::Pace slow = net::Pace::worker;
constexpr net::Pace costly = net::Pace::costly;

constexpr Route table[] = {
    {"document", "get", get_document, quick, {{{"GET", "/:index/:collection/:_id"}}}},
    {"document", "exists", document_exists, quick, {{{"GET", "/:index/:collection/:_id/_exists"}}}},
    {"document",
     "create",
     create_document,
     quick,
     {{{"POST", "/:index/:collection/_create"}, {"POST", "/:index/:collection/:_id/_create"}}}},
    {"document",
     "createOrReplace",
     create_or_replace_document,
     quick,
     {{{"PUT", "/:index/:collection/:_id"}}}},
    {"document",
     "replace",
     replace_document,
     quick,
     {{{"PUT", "/:index/:collection/:_id/_replace"}}}},
    {"document",
     "update",
     update_document,
     quick,
     {{{"PUT", "/:index/:collection/:_id/_update"},
       {"PATCH", "/:index/:collection/:_id/_update"}}}},
    {"document",
     "upsert",
     upsert_document,
     quick,
     {{{"POST", "/:index/:collection/:_id/_upsert"}, {"PUT", "/:index/:collection/:_id/_upsert"}}}},
    {"document", "delete", delete_document, quick, {{{"DELETE", "/:index/:collection/:_id"}}}},
    {"document",
     "deleteFields",
     delete_fields,
     quick,
     {{{"DELETE", "/:index/:collection/:_id/_fields"}}}},
    {"document",
     "mGet",
     get_many,
     slow,
     {{{"POST", "/:index/:collection/_mGet"}, {"GET", "/:index/:collection/_mGet"}}}},
    {"document", "mExists", exist_many, slow, {{{"POST", "/:index/:collection/_mExists"}}}},
    {"document", "mCreate", create_many, slow, {{{"POST", "/:index/:collection/_mCreate"}}}},
    {"document",
     "mCreateOrReplace",
     create_or_replace_many,
     slow,
     {{{"PUT", "/:index/:collection/_mCreateOrReplace"}}}},
    {"document", "mReplace", replace_many, slow, {{{"PUT", "/:index/:collection/_mReplace"}}}},
    {"document",
     "mUpdate",
     update_many,
     slow,
     {{{"PUT", "/:index/:collection/_mUpdate"}, {"PATCH", "/:index/:collection/_mUpdate"}}}},
    {"document", "mUpsert", upsert_many, slow, {{{"POST", "/:index/:collection/_mUpsert"}}}},
    {"document", "mDelete", delete_many, slow, {{{"DELETE", "/:index/:collection/_mDelete"}}}},
    {"document",
     "search",
     search_documents,
     slow,
     {{{"POST", "/:index/:collection/_search"},
       {"POST", "/_search"},
       {"GET", "/:index/:collection/_search"},
       {"GET", "/:index/:collection"}}}},
    {"document",
     "scroll",
     continue_scroll,
     slow,
     {{{"GET", "/_scroll/:scrollId"}, {"POST", "/_scroll/:scrollId"}}}},
    {"document", "count", count_documents, slow, {{{"POST", "/:index/:collection/_count"}}}},
    {"document",
     "deleteByQuery",
     delete_by_query,
     slow,
     {{{"DELETE", "/:index/:collection/_query"}}}},
    {"document", "updateByQuery", update_by_query, slow, {{{"PUT", "/:index/:collection/_query"}}}},
    {"document",
     "validate",
     validate_document,
     quick,
     {{{"POST", "/:index/:collection/_validate"}}}},
    {"document",
     "export",
     export_documents,
     slow,
     {{{"POST", "/:index/:collection/_export"}, {"GET", "/:index/:collection/_export"}}}},

    {"trash", "restore", restore_document, quick, {{{"PUT", "/:index/:collection/:_id/_restore"}}}},
    {"trash", "empty", empty_trash, slow, {{{"DELETE", "/:index/:collection/_trash"}}}},

    {"collection", "exists", collection_exists, quick, {{{"GET", "/:index/:collection/_exists"}}}},
    {"collection",
     "getMapping",
     get_mapping,
     quick,
     {{{"GET", "/:index/:collection/_mapping"}, {"GET", "/:index/:collection/_mappings"}}}},
    {"collection",
     "updateMapping",
     update_collection,
     slow,
     {{{"PUT", "/:index/:collection/_mapping"}}}},
    {"collection",
     "list",
     list_collections,
     quick,
     {{{"GET", "/:index/_list"}, {"GET", "/:index/_list/:type"}}}},
    {"collection", "create", create_collection, slow, {{{"PUT", "/:index/:collection"}}}},
    {"collection", "update", update_collection, slow, {{{"POST", "/:index/:collection"}}}},
    {"collection",
     "truncate",
     truncate_collection,
     slow,
     {{{"DELETE", "/:index/:collection/_truncate"}}}},
    {"collection",
     "refresh",
     refresh_collection,
     quick,
     {{{"POST", "/:index/:collection/_refresh"}}}},
    {"collection", "delete", delete_collection, slow, {{{"DELETE", "/:index/:collection"}}}},
    {"collection",
     "getSettings",
     get_settings,
     quick,
     {{{"GET", "/:index/:collection/_settings"}}}},
    {"collection",
     "getSpecifications",
     get_specifications,
     quick,
     {{{"GET", "/:index/:collection/_specifications"}}}},
    {"collection",
     "updateSpecifications",
     update_specifications,
     slow,
     {{{"PUT", "/:index/:collection/_specifications"}, {"PUT", "/_specifications"}}}},
    {"collection",
     "validateSpecifications",
     validate_specifications,
     quick,
     {{{"POST", "/:index/:collection/_validateSpecifications"},
       {"POST", "/_validateSpecifications"}}}},
    {"collection",
     "deleteSpecifications",
     delete_specifications,
     slow,
     {{{"DELETE", "/:index/:collection/_specifications"}}}},
    {"collection",
     "searchSpecifications",
     search_specifications,
     slow,
     {{{"POST", "/validations/_search"}}}},
    {"collection",
     "scrollSpecifications",
     scroll_specifications,
     slow,
     {{{"GET", "/validations/_scroll/:scrollId"}}}},

    {"realtime", "subscribe", subscribe, quick},
    {"realtime", "join", join, quick},
    {"realtime", "unsubscribe", unsubscribe, quick},
    {"realtime", "count", count_subscribers, quick},
    {"realtime", "validate", validate_document, quick},
    {"realtime", "list", list_subscriptions, slow, {{{"GET", "/_listSubscriptions"}}}},
    {"realtime", "publish", publish, quick, {{{"POST", "/:index/:collection/_publish"}}}},

    {"index", "list", list_indexes, quick, {{{"GET", "/_list"}}}},
    {"index", "exists", index_exists, quick, {{{"GET", "/:index/_exists"}}}},
    {"index", "create", create_index, slow, {{{"POST", "/:index/_create"}}}},
    {"index", "delete", delete_index, slow, {{{"DELETE", "/:index"}}}},
    {"index",
     "mDelete",
     delete_indexes,
     slow,
     {{{"DELETE", "/_mdelete"}, {"DELETE", "/_mDelete"}}}},
    {"index", "refresh", refresh_index, quick, {{{"POST", "/:index/_refresh"}}}},
    {"index", "refreshInternal", refresh_internal, quick, {{{"POST", "/_refreshInternal"}}}},
    {"index", "getAutoRefresh", get_auto_refresh, quick, {{{"GET", "/:index/_autoRefresh"}}}},
    {"index", "setAutoRefresh", set_auto_refresh, slow, {{{"POST", "/:index/_autoRefresh"}}}},
    {"index", "stats", index_statistics, slow, {{{"GET", "/_storageStats"}}}},

    {"bulk",
     "import",
     import_bulk,
     slow,
     {{{"POST", "/:index/:collection/_bulk"}, {"POST", "/:index/_bulk"}, {"POST", "/_bulk"}}}},
    {"bulk",
     "write",
     write_with_metadata,
     quick,
     {{{"POST", "/:index/:collection/_write"}, {"POST", "/:index/:collection/:_id/_write"}}}},
    {"bulk", "mWrite", write_many_with_metadata, slow, {{{"POST", "/:index/:collection/_mWrite"}}}},
    {"bulk",
     "deleteByQuery",
     bulk_delete_by_query,
     slow,
     {{{"DELETE", "/:index/:collection/_bulk/_query"}}}},
    {"bulk",
     "updateByQuery",
     bulk_update_by_query,
     slow,
     {{{"PATCH", "/:index/:collection/_bulk/_query"}}}},

    {"admin", "resetCache", reset_cache, slow, {{{"POST", "/admin/_resetCache"}}}},
    {"admin", "resetDatabase", reset_database, slow, {{{"POST", "/admin/_resetDatabase"}}}},
    {"admin", "resetSecurity", reset_security, slow, {{{"POST", "/admin/_resetSecurity"}}}},
    {"admin", "resetKuzzleData", reset_kuzzle_data, slow, {{{"POST", "/admin/_resetKuzzleData"}}}},
    {"admin", "loadMappings", load_mappings, slow, {{{"POST", "/admin/_loadMappings"}}}},
    {"admin", "loadFixtures", load_fixtures, slow, {{{"POST", "/admin/_loadFixtures"}}}},
    {"admin", "loadSecurities", load_securities, costly, {{{"POST", "/admin/_loadSecurities"}}}},
    {"admin", "dump", dump, quick, {{{"POST", "/admin/_dump"}}}},
    {"admin", "shutdown", shut_down, quick, {{{"POST", "/admin/_shutdown"}}}},
    {"admin",
     "refreshIndexCache",
     refresh_index_cache,
     quick,
     {{{"POST", "/admin/_refreshIndexCache"}}}},

    {"server", "info", get_server_info, quick, {{{"GET", "/"}, {"GET", "/_serverInfo"}}}},
    {"server", "now", get_server_time, quick, {{{"GET", "/_now"}}}},
    {"server",
     "healthCheck",
     check_health,
     quick,
     {{{"GET", "/_healthCheck"}, {"GET", "/_healthcheck"}}}},
    {"server", "getConfig", get_config, quick, {{{"GET", "/_getConfig"}}}},
    {"server", "publicApi", get_public_api, quick, {{{"GET", "/_publicApi"}}}},
    {"server", "openapi", get_open_api, slow, {{{"GET", "/_openapi"}}}},
    {"server", "capabilities", get_capabilities, quick, {{{"GET", "/_capabilities"}}}},
    {"server", "metrics", get_metrics, slow, {{{"GET", "/_metrics"}}}},
    {"server", "getStats", get_stats, slow, {{{"GET", "/_getStats"}, {"POST", "/_getStats"}}}},
    {"server", "getLastStats", get_last_stats, quick, {{{"GET", "/_getLastStats"}}}},
    {"server", "getAllStats", get_all_stats, slow, {{{"GET", "/_getAllStats"}}}},

    {"cluster", "status", cluster_status, quick, {{{"GET", "/cluster/_status"}}}},
    {"debug", "nodeVersion", debug, quick, {{{"GET", "/debug/_nodeVersion"}}}},
    {"debug", "enable", debug, quick, {{{"POST", "/debug/_enable"}}}},
    {"debug", "disable", debug, quick, {{{"POST", "/debug/_disable"}}}},
    {"debug", "post", debug, quick, {{{"POST", "/debug/_post"}}}},
    {"debug", "addListener", debug, quick},
    {"debug", "removeListener", debug, quick},
    {"auth",
     "login",
     log_in,
     costly,
     {{{"POST", "/_login/:strategy"}, {"GET", "/_login/:strategy"}}}},
    {"auth", "logout", log_out, slow, {{{"POST", "/_logout"}}}},
    {"auth", "refreshToken", refresh_token, slow, {{{"POST", "/_refreshToken"}}}},
    {"auth", "createToken", create_token, slow, {{{"POST", "/_createToken"}}}},
    {"auth", "checkToken", check_token, quick, {{{"POST", "/_checkToken"}}}},
    {"auth", "getCurrentUser", get_current_user, quick, {{{"GET", "/users/_me"}, {"GET", "/_me"}}}},
    {"auth",
     "getMyRights",
     get_my_rights,
     quick,
     {{{"GET", "/users/_me/_rights"}, {"GET", "/_me/_rights"}}}},
    {"auth", "updateSelf", update_self, quick, {{{"PUT", "/_updateSelf"}, {"PUT", "/_me"}}}},
    {"auth", "getStrategies", get_strategies, quick, {{{"GET", "/strategies"}}}},
    {"auth",
     "credentialsExist",
     have_credentials,
     slow,
     {{{"GET", "/credentials/:strategy/_me/_exists"},
       {"GET", "/_me/credentials/:strategy/_exists"}}}},
    {"auth",
     "getMyCredentials",
     get_credentials,
     slow,
     {{{"GET", "/credentials/:strategy/_me"}, {"GET", "/_me/credentials/:strategy"}}}},
    {"auth",
     "createMyCredentials",
     create_credentials,
     costly,
     {{{"POST", "/credentials/:strategy/_me/_create"},
       {"POST", "/_me/credentials/:strategy/_create"}}}},
    {"auth",
     "updateMyCredentials",
     update_credentials,
     costly,
     {{{"PUT", "/credentials/:strategy/_me/_update"},
       {"PUT", "/_me/credentials/:strategy/_update"}}}},
    {"auth",
     "deleteMyCredentials",
     delete_credentials,
     slow,
     {{{"DELETE", "/credentials/:strategy/_me"}, {"DELETE", "/_me/credentials/:strategy"}}}},
    {"auth",
     "validateMyCredentials",
     validate_credentials,
     slow,
     {{{"POST", "/credentials/:strategy/_me/_validate"},
       {"POST", "/_me/credentials/:strategy/_validate"}}}},
    {"auth",
     "createApiKey",
     create_api_key,
     slow,
     {{{"POST", "/api-keys/_create"}, {"POST", "/_me/api-keys/_create"}}}},
    {"auth",
     "searchApiKeys",
     search_api_keys,
     slow,
     {{{"POST", "/api-keys/_search"}, {"POST", "/_me/api-keys/_search"}}}},
    {"auth",
     "deleteApiKey",
     delete_api_key,
     slow,
     {{{"DELETE", "/api-keys/:_id"}, {"DELETE", "/_me/api-keys/:_id"}}}},
    {"auth", "checkRights", check_rights, slow, {{{"POST", "/_checkRights"}}}},
    {"security",
     "createApiKey",
     create_api_key,
     slow,
     {{{"POST", "/users/:userId/api-keys/_create"}}}},
    {"security",
     "searchApiKeys",
     search_api_keys,
     slow,
     {{{"POST", "/users/:userId/api-keys/_search"}}}},
    {"security",
     "deleteApiKey",
     delete_api_key,
     slow,
     {{{"DELETE", "/users/:userId/api-keys/:_id"}}}},
    {"security", "checkRights", check_rights, slow, {{{"POST", "/_checkRights/:userId"}}}},
    {"security",
     "validateCredentials",
     validate_credentials,
     slow,
     {{{"POST", "/credentials/:strategy/:_id/_validate"}}}},
    {"security",
     "getCredentialsById",
     get_credentials_by_id,
     slow,
     {{{"GET", "/credentials/:strategy/:_id/_byId"}}}},
    {"security",
     "searchUsersByCredentials",
     search_users_by_credentials,
     slow,
     {{{"POST", "/credentials/:strategy/users/_search"}}}},
    {"security",
     "getCredentialFields",
     get_credential_fields,
     quick,
     {{{"GET", "/credentials/:strategy/_fields"}}}},
    {"security",
     "getAllCredentialFields",
     get_all_credential_fields,
     quick,
     {{{"GET", "/credentials/_fields"}}}},
    {"security",
     "getUserStrategies",
     get_user_strategies,
     slow,
     {{{"GET", "/users/:_id/_strategies"}}}},
    {"security",
     "refresh",
     refresh_security,
     quick,
     {{{"POST", "/security/:collection/_refresh"}, {"POST", "/_security/:collection/_refresh"}}}},
    {"security", "scrollUsers", scroll_security, slow, {{{"GET", "/users/_scroll/:scrollId"}}}},
    {"security",
     "scrollProfiles",
     scroll_security,
     slow,
     {{{"GET", "/profiles/_scroll/:scrollId"}}}},
    {"security", "getUserMapping", get_security_mapping, slow, {{{"GET", "/users/_mapping"}}}},
    {"security",
     "getProfileMapping",
     get_security_mapping,
     slow,
     {{{"GET", "/profiles/_mapping"}}}},
    {"security", "getRoleMapping", get_security_mapping, slow, {{{"GET", "/roles/_mapping"}}}},
    {"security",
     "updateUserMapping",
     update_security_mapping,
     slow,
     {{{"PUT", "/users/_mapping"}}}},
    {"security",
     "updateProfileMapping",
     update_security_mapping,
     slow,
     {{{"PUT", "/profiles/_mapping"}}}},
    {"security",
     "updateRoleMapping",
     update_security_mapping,
     slow,
     {{{"PUT", "/roles/_mapping"}}}},
    {"security",
     "createRestrictedUser",
     create_restricted_user,
     costly,
     {{{"POST", "/users/_createRestricted"}, {"POST", "/users/:_id/_createRestricted"}}}},
    {"security",
     "createCredentials",
     create_credentials,
     costly,
     {{{"POST", "/credentials/:strategy/:_id/_create"}}}},
    {"security",
     "updateCredentials",
     update_credentials,
     costly,
     {{{"PUT", "/credentials/:strategy/:_id/_update"}}}},
    {"security",
     "deleteCredentials",
     delete_credentials,
     slow,
     {{{"DELETE", "/credentials/:strategy/:_id"}}}},
    {"security",
     "getCredentials",
     get_credentials,
     slow,
     {{{"GET", "/credentials/:strategy/:_id"}}}},
    {"security",
     "hasCredentials",
     have_credentials,
     slow,
     {{{"GET", "/credentials/:strategy/:_id/_exists"}}}},
    {"server", "adminExists", admin_exists, slow, {{{"GET", "/_adminExists"}}}},
    {"security",
     "createFirstAdmin",
     create_first_admin,
     costly,
     {{{"POST", "/_createFirstAdmin"},
       {"POST", "/:_id/_createFirstAdmin"},
       {"POST", "/_createFirstAdmin/:_id"}}}},
    {"security",
     "createUser",
     create_user,
     costly,
     {{{"POST", "/users/_create"}, {"POST", "/users/:_id/_create"}}}},
    {"security", "upsertUser", upsert_user, costly, {{{"POST", "/users/:_id/_upsert"}}}},
    {"security", "revokeTokens", revoke_tokens, slow, {{{"DELETE", "/users/:_id/tokens"}}}},
    {"security",
     "restrictDefaultRights",
     restrict_default_rights,
     slow,
     {{{"POST", "/_restrictDefaultRights"}}}},
    {"security", "replaceUser", replace_user, slow, {{{"PUT", "/users/:_id/_replace"}}}},
    {"security", "getUserRights", get_rights, slow, {{{"GET", "/users/:_id/_rights"}}}},
    {"security", "getProfileRights", get_rights, slow, {{{"GET", "/profiles/:_id/_rights"}}}},
    {"security", "getUser", get_security, slow, {{{"GET", "/users/:_id"}}}},
    {"security", "updateUser", update_security, slow, {{{"PUT", "/users/:_id/_update"}}}},
    {"security", "deleteUser", delete_security, slow, {{{"DELETE", "/users/:_id"}}}},
    {"security",
     "mGetUsers",
     get_many_security,
     slow,
     {{{"POST", "/users/_mGet"}, {"GET", "/users/_mGet"}}}},
    {"security", "mDeleteUsers", delete_many_security, slow, {{{"POST", "/users/_mDelete"}}}},
    {"security", "searchUsers", search_security, slow, {{{"POST", "/users/_search"}}}},
    {"security", "createProfile", create_security, slow, {{{"POST", "/profiles/:_id/_create"}}}},
    {"security",
     "createOrReplaceProfile",
     create_or_replace_security,
     slow,
     {{{"PUT", "/profiles/:_id"}}}},
    {"security", "getProfile", get_security, slow, {{{"GET", "/profiles/:_id"}}}},
    {"security", "updateProfile", update_security, slow, {{{"PUT", "/profiles/:_id/_update"}}}},
    {"security", "deleteProfile", delete_security, slow, {{{"DELETE", "/profiles/:_id"}}}},
    {"security", "mGetProfiles", get_many_security, slow, {{{"POST", "/profiles/_mGet"}}}},
    {"security", "mDeleteProfiles", delete_many_security, slow, {{{"POST", "/profiles/_mDelete"}}}},
    {"security", "searchProfiles", search_security, slow, {{{"POST", "/profiles/_search"}}}},
    {"security", "createRole", create_security, slow, {{{"POST", "/roles/:_id/_create"}}}},
    {"security",
     "createOrReplaceRole",
     create_or_replace_security,
     slow,
     {{{"PUT", "/roles/:_id"}}}},
    {"security", "getRole", get_security, slow, {{{"GET", "/roles/:_id"}}}},
    {"security", "updateRole", update_security, slow, {{{"PUT", "/roles/:_id/_update"}}}},
    {"security", "deleteRole", delete_security, slow, {{{"DELETE", "/roles/:_id"}}}},
    {"security", "mGetRoles", get_many_security, slow, {{{"POST", "/roles/_mGet"}}}},
    {"security", "mDeleteRoles", delete_many_security, slow, {{{"POST", "/roles/_mDelete"}}}},
    {"security", "searchRoles", search_security, slow, {{{"POST", "/roles/_search"}}}},
};

const std::vector<Route>& all_routes() {
  static const std::vector<Route> routes = [] {
    std::vector<Route> all(std::begin(table), std::end(table));
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

using IsListed = bool (*)(const Route&, const Url&);

bool always(const Route&, const Url&) {
  return true;
}

// Among URLs that differ only by their verbs, some clients choose POST, or none if there is no
// POST; they are listed only the first of these. Otherwise clients choose the shortest URL and lose
// the names that it does not have. So URLs with fewer names than the first are not listed, nor
// shorter ones without a body.
bool where_clients_choose_right(const Route& route, const Url& url) {
  const Url& first = route.urls.front();
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
    for (const Url& url : route.urls) {
      if (url.path.empty() || !is_listed_url(route, url)) continue;
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

const Route* find_route(std::string_view controller, std::string_view action,
                        bool& knows_controller) {
  knows_controller = false;
  for (const Route& route : all_routes()) {
    if (route.controller != controller) continue;
    knows_controller = true;
    if (route.action == action) return &route;
  }
  return nullptr;
}

HttpRoutes::HttpRoutes() {
  for (const Route& route : all_routes()) {
    for (const Url& url : route.urls) {
      if (url.path.empty()) continue;
      router_.add(url.verb, pattern_of(url.path));
      rows_.push_back(&route);
    }
  }
}

HttpMatch HttpRoutes::match(const net::Request& request) const {
  // Some clients write the first slash of a URL twice.
  std::string_view path = request.path;
  while (path.starts_with("//")) path.remove_prefix(1);
  net::Match match = router_.match(request.method, path);
  if (match.route == net::Match::none) return {};
  return {rows_[match.route], std::move(match.captured)};
}

Object public_api() {
  return describe(where_clients_choose_right);
}

Object whole_api() {
  return describe(always);
}

}  // namespace mayfly::kuzzle
