#include "dialect/centrali/requests/routes.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "dialect/centrali/functions/actions.h"
#include "dialect/centrali/queries/actions.h"
#include "dialect/centrali/records/actions.h"
#include "dialect/centrali/structures/actions.h"
#include "dialect/centrali/triggers/actions.h"
#include "dialect/centrali/webhooks/actions.h"
#include "dialect/centrali/webhooks/deliveries.h"

namespace mayfly::centrali {
namespace {

// The sets of parameters, as named in the rows.
namespace takes {
constexpr unsigned place = place_parameters;
constexpr unsigned write = place_parameters | lifetime_parameters;
constexpr unsigned batch = write | stop_parameter;
constexpr unsigned removal = place_parameters | removal_parameters;
constexpr unsigned removals = removal | ids_parameter;
constexpr unsigned batch_removals = removals | stop_parameter;
constexpr unsigned past = place_parameters | archived_parameter;
constexpr unsigned pages_of_past = past | paging_parameters;
constexpr unsigned record = past | expand_parameter;
constexpr unsigned runs = run_parameters | status_parameter;
}  // namespace takes

namespace rows {

constexpr net::Pace quick = net::Pace::quick;  // about one record
constexpr net::Pace pooled = net::Pace::worker;
using enum RouteEffect;
constexpr std::size_t large = limits::bulk_body_bytes_max;

#define OF_SLUG "/records/slug/{slug}"
#define WEBHOOK "/webhook-subscriptions/{webhook}"
#define FUNCTION "/compute-functions/{function}"
#define TRIGGER "/function-triggers/{trigger}"

// clang-format off: one row a line
constexpr Route table[] = {
    {{"GET", "/structures", pooled, read}, list_structures, paging_parameters},
    {{"POST", "/structures", pooled, admin}, create_structure},
    {{"GET", "/structures/slug/{structure}", pooled, read}, read_structure},
    {{"GET", "/structures/{structure}", pooled, read}, read_structure},
    {{"PUT", "/structures/{structure}", pooled, admin}, update_structure},
    {{"PATCH", "/structures/{structure}", pooled, admin}, update_structure},
    {{"DELETE", "/structures/{structure}", pooled, admin}, drop_structure},
    {{"GET", "/records", pooled, read}, list_records, list_parameters},
    {{"POST", "/records", quick, write}, create_record, takes::write},
    {{"POST", "/records/query", pooled, read}, query_records, takes::place},
    {{"GET", "/records/count", pooled, read}, count_records, list_parameters},
    {{"POST", "/records/by-ids", pooled, read}, read_records_by_ids, takes::place},
    {{"POST", "/records/upsert", pooled, write}, upsert_record, takes::write},
    {{"POST", "/records/bulk", pooled, write}, bulk_create, takes::write, large},
    {{"PATCH", "/records/bulk", pooled, write}, bulk_patch, takes::write, large},
    {{"DELETE", "/records/bulk", pooled, write}, bulk_remove, takes::removals, large},
    {{"POST", "/records/batch", pooled, write}, batch_create, takes::batch, large},
    {{"PATCH", "/records/batch", pooled, write}, batch_patch, takes::batch, large},
    {{"DELETE", "/records/batch", pooled, write}, batch_remove, takes::batch_removals, large},
    {{"GET", OF_SLUG, pooled, read}, list_records, list_parameters},
    {{"POST", OF_SLUG, pooled, write}, create_record, takes::write},
    {{"GET", OF_SLUG "/count", pooled, read}, count_records, list_parameters},
    {{"POST", OF_SLUG "/query", pooled, read}, query_records, takes::place},
    {{"POST", OF_SLUG "/by-ids", pooled, read}, read_records_by_ids, takes::place},
    {{"POST", OF_SLUG "/upsert", pooled, write}, upsert_record, takes::write},
    {{"POST", OF_SLUG "/bulk", pooled, write}, bulk_create, takes::write, large},
    {{"PATCH", OF_SLUG "/bulk", pooled, write}, bulk_patch, takes::write, large},
    {{"DELETE", OF_SLUG "/bulk", pooled, write}, bulk_remove, takes::removals, large},
    {{"POST", OF_SLUG "/batch", pooled, write}, batch_create, takes::batch, large},
    {{"PATCH", OF_SLUG "/batch", pooled, write}, batch_patch, takes::batch, large},
    {{"DELETE", OF_SLUG "/batch", pooled, write}, batch_remove, takes::batch_removals, large},
    {{"GET", "/records/{record}/versions", pooled, read}, list_versions, takes::pages_of_past},
    {{"GET", "/records/{record}/versions/{version}", pooled, read}, read_version, takes::past},
    {{"GET", "/records/{record}/changes", pooled, read}, list_changes, takes::pages_of_past},
    {{"GET", "/records/{record}", quick, read}, read_record, takes::record},
    {{"PATCH", "/records/{record}", quick, write}, patch_record, takes::write},
    {{"PUT", "/records/{record}", quick, write}, replace_record, takes::write},
    {{"DELETE", "/records/{record}", pooled, write}, remove_record, takes::removal},
    {{"POST", "/records/{record}/restore", pooled, write}, restore_record, takes::place},
    {{"GET", "/webhook-subscriptions", pooled, read}, list_webhooks},
    {{"POST", "/webhook-subscriptions", pooled, admin}, create_webhook},
    {{"GET", WEBHOOK, pooled, read}, read_webhook},
    {{"PATCH", WEBHOOK, pooled, admin}, update_webhook},
    {{"PUT", WEBHOOK, pooled, admin}, update_webhook},
    {{"DELETE", WEBHOOK, pooled, admin}, remove_webhook},
    {{"POST", WEBHOOK "/rotate-secret", pooled, admin}, rotate_webhook_secret},
    {{"GET", WEBHOOK "/deliveries", pooled, read}, list_deliveries, status_parameter},
    {{"GET", "/webhook-deliveries/{delivery}", pooled, read}, read_delivery},
    {{"POST", "/webhook-deliveries/{delivery}/replay", pooled, write}, replay_delivery},
    {{"POST", "/webhook-deliveries/{delivery}/cancel", pooled, write}, cancel_delivery},
    {{"GET", "/compute-functions", pooled, read}, list_functions},
    {{"POST", "/compute-functions", pooled, admin}, create_function},
    {{"GET", FUNCTION, pooled, read}, read_function},
    {{"PATCH", FUNCTION, pooled, admin}, update_function},
    {{"PUT", FUNCTION, pooled, admin}, update_function},
    {{"DELETE", FUNCTION, pooled, admin}, remove_function},
    {{"GET", FUNCTION "/runs", pooled, read}, list_runs_of_function, status_parameter},
    {{"GET", "/function-triggers", pooled, read}, list_triggers, run_parameters},
    {{"POST", "/function-triggers", pooled, admin}, create_trigger},
    {{"GET", TRIGGER, pooled, read}, read_trigger},
    {{"PATCH", TRIGGER, pooled, admin}, update_trigger},
    {{"PUT", TRIGGER, pooled, admin}, update_trigger},
    {{"DELETE", TRIGGER, pooled, admin}, remove_trigger},
    {{"POST", TRIGGER "/pause", pooled, admin}, pause_trigger},
    {{"POST", TRIGGER "/resume", pooled, admin}, resume_trigger},
    {{"POST", TRIGGER "/invoke", pooled, write}, invoke_trigger},
    {{"POST", TRIGGER "/execute", pooled, write}, invoke_trigger},
    {{"GET", TRIGGER "/runs", pooled, read}, list_runs_of_trigger, status_parameter},
    {{"GET", "/function-runs", pooled, read}, list_runs, takes::runs},
    {{"GET", "/function-runs/{run}", pooled, read}, read_run},
    {{"GET", "/http-trigger/{path...}", pooled, write}, answer_http_trigger, list_parameters},
    {{"POST", "/http-trigger/{path...}", pooled, write}, answer_http_trigger, list_parameters},
    {{"PUT", "/http-trigger/{path...}", pooled, write}, answer_http_trigger, list_parameters},
    {{"PATCH", "/http-trigger/{path...}", pooled, write}, answer_http_trigger, list_parameters},
    {{"DELETE", "/http-trigger/{path...}", pooled, write}, answer_http_trigger, list_parameters},
};
// clang-format on

}  // namespace rows

struct ParameterRow {
  std::string_view name;
  Parameters set;
};
constexpr ParameterRow parameter_rows[] = {
    {"structureId", place_parameters},   {"collectionId", place_parameters},
    {"ttlSeconds", lifetime_parameters}, {"expiresAt", lifetime_parameters},
    {"clearTtl", lifetime_parameters},   {"hard", removal_parameters},
    {"hardDelete", removal_parameters},  {"permanent", removal_parameters},
    {"page", paging_parameters},         {"pageSize", paging_parameters},
    {"limit", paging_parameters},        {"includeArchived", archived_parameter},
    {"expand", expand_parameter},        {"ids", ids_parameter},
    {"stopOnError", stop_parameter},     {"status", status_parameter},
    {"functionId", run_parameters},      {"triggerId", run_parameters}};

constexpr std::string_view structures = "/structures";

// The part of the path after the workspace and the version; nothing if it has no such parts.
std::optional<std::string_view> without_base(std::string_view path, std::string& workspace) {
  constexpr std::string_view data = "/data";
  constexpr std::string_view root = "/workspace/";
  constexpr std::string_view version = "/api/v1";
  if (path.starts_with(data)) path.remove_prefix(data.size());
  if (!path.starts_with(root)) return std::nullopt;
  path.remove_prefix(root.size());
  auto decoded = net::decode_percent(path.substr(0, path.find('/')));
  if (!decoded || decoded->empty()) return std::nullopt;
  workspace = *std::move(decoded);
  path.remove_prefix(std::min(path.find('/'), path.size()));
  if (!path.starts_with(version)) return std::nullopt;
  return path.substr(version.size());
}

}  // namespace

Result<void> check_parameters(const net::Request& request, unsigned parameters) {
  if ((parameters & list_parameters) != 0) return {};
  for (const auto& [name, text] : request.parameters) {
    const bool is_known = std::any_of(
        std::begin(parameter_rows), std::end(parameter_rows),
        [&](const ParameterRow& row) { return (row.set & parameters) != 0 && row.name == name; });
    if (is_known) continue;
    return fail(Code::invalid, "there is no parameter \"" + name + "\" here", name);
  }
  return {};
}

std::span<const Route> routes() {
  return rows::table;
}

Routes::Routes() {
  for (const Route& route : rows::table) {
    finder_.add(route.method, route.pattern, route);
    if (!route.pattern.starts_with(structures)) continue;
    const auto rest = route.pattern.substr(structures.size());
    finder_.add(route.method, "/collections" + std::string(rest), route);
  }
}

WorkspaceMatch Routes::match(std::string_view method, std::string_view path) const {
  std::string workspace;
  const auto rest = without_base(path, workspace);
  if (!rest) return {};
  return {finder_.find(method, *rest), std::move(workspace)};
}

bool is_token_path(std::string_view path) {
  return path == "/oauth/token" || path == "/oidc/token";
}

std::optional<std::string> event_stream_workspace(std::string_view path) {
  constexpr std::string_view prefix = "/realtime/workspace/";
  constexpr std::string_view suffix = "/events";
  if (path.ends_with('/')) path.remove_suffix(1);
  if (!path.starts_with(prefix) || !path.ends_with(suffix)) return std::nullopt;
  if (path.size() <= prefix.size() + suffix.size()) return std::nullopt;
  path = path.substr(prefix.size(), path.size() - prefix.size() - suffix.size());
  if (path.find('/') != std::string_view::npos) return std::nullopt;
  auto decoded = net::decode_percent(path);
  if (!decoded) return std::nullopt;
  return *std::move(decoded);
}

bool is_claimed(std::string_view path) {
  return path.starts_with("/workspace/") || path.starts_with("/data/workspace/") ||
         path.starts_with("/realtime/") || is_token_path(path);
}

}  // namespace mayfly::centrali
